//! The database of kept work: records by their ids, and data by the hashes of their contents.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use idb::{
    Database, DatabaseEvent, Error, Factory, ObjectStore, ObjectStoreParams, Query, Transaction, TransactionMode,
};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::record::{self, Record};
use crate::keeping::{KeptChange, NotKept};
use crate::messages::{from_js, to_js};
use crate::study::store::committed;

const DATABASE: &str = "elastiplan-work";
const WORKS: &str = "works";
const DATA: &str = "data";

thread_local! {
    /// The database, once it is open.
    static OPENED: RefCell<Option<Rc<Database>>> = const { RefCell::new(None) };
}

/// The members of a bundle by their names; the reason of one that is damaged.
pub(super) type Members = BTreeMap<String, Result<Vec<u8>, String>>;

/// The database.
pub(super) struct Store(Rc<Database>);

impl Store {
    /// Opens the database, or makes it.
    pub async fn open() -> Result<Self, NotKept> {
        if let Some(database) = OPENED.with_borrow(Clone::clone) {
            return Ok(Self(database));
        }
        let database = open().await.map(Rc::new).map_err(|error| match not_kept(error) {
            NotKept::Failed(reason) => NotKept::NoStore(reason),
            other => other,
        })?;
        OPENED.set(Some(Rc::clone(&database)));
        Ok(Self(database))
    }

    fn transaction(&self, mode: TransactionMode) -> Result<(Transaction, ObjectStore, ObjectStore), NotKept> {
        let begin = || {
            let transaction = self.0.transaction(&[WORKS, DATA], mode)?;
            let (works, data) = (transaction.object_store(WORKS)?, transaction.object_store(DATA)?);
            Ok((transaction, works, data))
        };
        begin().map_err(|error| {
            // The browser may have closed it; the next request opens it anew.
            OPENED.set(None);
            not_kept(error)
        })
    }

    /// All records that can be read.
    pub async fn records(&self) -> Result<Vec<Record>, NotKept> {
        let (_, works, _) = self.transaction(TransactionMode::ReadOnly)?;
        let all = records_of(&works).await.map_err(not_kept)?;
        Ok(all.into_iter().flatten().collect())
    }

    /// Writes a record that goes on from a revision, with data that may be new, in one transaction. If the work was changed
    /// since by another page, it is written as a copy. Returns the record as it is now.
    pub async fn keep(&self, mut record: Record, files: &BTreeMap<String, Vec<u8>>) -> Result<Record, NotKept> {
        let (transaction, works, data) = self.transaction(TransactionMode::ReadWrite)?;
        let all = records_of(&works).await.map_err(not_kept)?;
        let known: Vec<&Record> = all.iter().flatten().collect();
        if let Some(before) = known.iter().find(|known| known.id == record.id) {
            record.is_pinned = before.is_pinned;
            let is_written = before.revision == record.revision + 1 && before.texts == record.texts;
            if before.revision != record.revision && !is_written {
                let names: Vec<&str> = known.iter().map(|known| known.about.name.as_str()).collect();
                record.about.name = record::name_of_copy(&record.about.name, &names);
                record.id = format!("{:x}-{:x}", js_sys::Date::now() as u64, (js_sys::Math::random() * 1e9) as u64);
                record.is_pinned = false;
            }
        }
        record.revision += 1;
        record.changed_ms = js_sys::Date::now();
        let mut gone = Vec::new();
        for (name, hash, bytes) in &mut record.files {
            let key = JsValue::from(hash.as_str());
            let of_others = known.iter().flat_map(|known| &known.files).find(|(_, other, _)| other == hash);
            let is_there = data.get_key(key.clone()).map_err(not_kept)?.await.map_err(not_kept)?.is_some();
            match files.get(name) {
                Some(content) if !is_there => {
                    let content = Uint8Array::from(content.as_slice());
                    data.put(&content, Some(&key)).map_err(not_kept)?.await.map_err(not_kept)?;
                }
                None if !is_there => gone.push(hash.clone()),
                None => *bytes = of_others.map_or(0.0, |(.., bytes)| *bytes),
                Some(_) => {}
            }
        }
        if !gone.is_empty() {
            let _ = transaction.abort();
            return Err(NotKept::Gone(gone));
        }
        put(&works, &record).await?;
        let after = all.iter().map(|known| known.as_ref().filter(|known| known.id != record.id));
        // One that cannot be read may name any data.
        let is_all_read = all.iter().all(Option::is_some);
        let mut used: Vec<&Record> = after.flatten().collect();
        used.push(&record);
        if is_all_read {
            remove_unused(&data, &used).await?;
        }
        committed(transaction).await.map_err(not_kept)?;
        Ok(record)
    }

    /// Changes what the list says of a record.
    pub async fn change(&self, id: &str, change: KeptChange) -> Result<(), NotKept> {
        let (transaction, works, _) = self.transaction(TransactionMode::ReadWrite)?;
        let Some(mut record) = one(&works, id).await? else { return Ok(()) };
        match change {
            KeptChange::Rename(name) => record.about.name = name,
            KeptChange::Pin(is_pinned) => record.is_pinned = is_pinned,
        }
        put(&works, &record).await?;
        committed(transaction).await.map_err(not_kept)
    }

    /// Deletes a record with the data that no other one names. Returns all of it.
    pub async fn delete(&self, id: &str) -> Result<Array, NotKept> {
        let (transaction, works, data) = self.transaction(TransactionMode::ReadWrite)?;
        let all = records_of(&works).await.map_err(not_kept)?;
        let copy = Array::new();
        let Some(record) = one(&works, id).await? else { return Ok(copy) };
        copy.push(&to_js(&record).map_err(|error| NotKept::Failed(error.to_string()))?);
        for (_, hash, _) in &record.files {
            let key = JsValue::from(hash.as_str());
            if let Some(content) = data.get(key.clone()).map_err(not_kept)?.await.map_err(not_kept)? {
                copy.push(&Array::of2(&key, &content));
            }
        }
        works.delete(JsValue::from(id)).map_err(not_kept)?.await.map_err(not_kept)?;
        if all.iter().all(Option::is_some) {
            let used: Vec<&Record> = all.iter().flatten().filter(|known| known.id != id).collect();
            remove_unused(&data, &used).await?;
        }
        committed(transaction).await.map_err(not_kept)?;
        Ok(copy)
    }

    /// Puts back what was deleted.
    pub async fn restore(&self, copy: &Array) -> Result<(), NotKept> {
        let (transaction, works, data) = self.transaction(TransactionMode::ReadWrite)?;
        let record: Record = from_js(copy.get(0)).map_err(|error| NotKept::Failed(error.to_string()))?;
        for entry in copy.iter().skip(1) {
            let entry = Array::from(&entry);
            data.put(&entry.get(1), Some(&entry.get(0))).map_err(not_kept)?.await.map_err(not_kept)?;
        }
        put(&works, &record).await?;
        committed(transaction).await.map_err(not_kept)
    }

    /// A record with the members of its bundle.
    pub async fn members(&self, id: &str) -> Result<(Record, Members), NotKept> {
        let (_, works, data) = self.transaction(TransactionMode::ReadOnly)?;
        let record = one(&works, id).await?;
        let record = record.ok_or_else(|| NotKept::Failed("it is not there any more".into()))?;
        let texts = record.texts.iter().map(|(name, text)| (name.clone(), Ok(text.clone().into_bytes())));
        let mut members: Members = texts.collect();
        for (name, hash, _) in &record.files {
            let content = data.get(JsValue::from(hash.as_str())).map_err(not_kept)?.await.map_err(not_kept)?;
            if let Some(content) = content.and_then(|content| content.dyn_into::<Uint8Array>().ok()) {
                members.insert(name.clone(), Ok(content.to_vec()));
            }
        }
        Ok((record, members))
    }
}

async fn open() -> Result<Database, Error> {
    let mut request = Factory::new()?.open(DATABASE, Some(1))?;
    request.on_upgrade_needed(|event| {
        // What cannot be made is missed when it is used.
        let Ok(database) = event.database() else { return };
        for name in [WORKS, DATA] {
            let _ = database.create_object_store(name, ObjectStoreParams::new());
        }
    });
    request.await
}

/// All records; `None` for those that cannot be read, which a later build may have written.
async fn records_of(works: &ObjectStore) -> Result<Vec<Option<Record>>, Error> {
    let values = works.get_all(None, None)?.await?;
    Ok(values.into_iter().map(|value| from_js(value).ok()).collect())
}

async fn one(works: &ObjectStore, id: &str) -> Result<Option<Record>, NotKept> {
    let value = works.get(JsValue::from(id)).map_err(not_kept)?.await.map_err(not_kept)?;
    let unreadable = |error: crate::messages::MessageError| NotKept::Failed(format!("its record is damaged ({error})"));
    value.map(|value| from_js(value).map_err(unreadable)).transpose()
}

async fn put(works: &ObjectStore, record: &Record) -> Result<(), NotKept> {
    let value = to_js(record).map_err(|error| NotKept::Failed(error.to_string()))?;
    works.put(&value, Some(&record.id.as_str().into())).map_err(not_kept)?.await.map_err(not_kept)?;
    Ok(())
}

/// Deletes data that no record names.
async fn remove_unused(data: &ObjectStore, used: &[&Record]) -> Result<(), NotKept> {
    let keys = data.get_all_keys(None, None).map_err(not_kept)?.await.map_err(not_kept)?;
    for key in keys {
        let is_used = |hash: &str| used.iter().flat_map(|record| &record.files).any(|(_, known, _)| known == hash);
        if !key.as_string().is_some_and(|hash| is_used(&hash)) {
            data.delete(Query::from(key)).map_err(not_kept)?.await.map_err(not_kept)?;
        }
    }
    Ok(())
}

fn not_kept(error: Error) -> NotKept {
    // What a full store says comes as several errors, but always by this name.
    match format!("{error} {error:?}") {
        text if text.contains("QuotaExceeded") => NotKept::Full,
        _ => NotKept::Failed(error.to_string()),
    }
}
