//! Kept runs in IndexedDB.
//!
//! A *chunk* holds the runs that were made within about a quarter of a second, under a name of its own that begins with
//! the name of their data, so that two pages write beside each other. A *group* says how much there is of one data and
//! when it was used last: the oldest go first where there is not enough room.

use elastiplan_study::{Key, Outcome};
use idb::{
    Database, DatabaseEvent, Error, Factory, KeyRange, ObjectStoreParams, Query, Transaction, TransactionMode,
    TransactionResult,
};
use js_sys::{Array, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::IdbTransaction;

use super::director::LoadedRuns;
use crate::global::scope;

const DATABASE: &str = "elastiplan-runs";
const CHUNKS: &str = "chunks";
const GROUPS: &str = "groups";
/// Bytes that kept runs may take.
const BYTES_MAX: f64 = 200e6;
/// And this share of what the browser grants.
const QUOTA_SHARE: f64 = 0.25;

/// How much is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptRuns {
    /// Runs.
    pub runs: f64,
    /// Their bytes.
    pub bytes: f64,
    /// Bytes that they may take.
    pub bytes_max: f64,
}

/// The database.
pub struct Store {
    database: Database,
    /// The build of the page: runs of another one are not used.
    build: JsValue,
    bytes_max: f64,
}

/// What is noted of a group.
#[derive(Clone, Copy, Default)]
struct Group {
    used_ms: f64,
    runs: f64,
    bytes: f64,
}

impl Group {
    fn read(value: &JsValue) -> Self {
        let list = Array::from(value);
        let number = |at| list.get(at).as_f64().unwrap_or_default();
        Self { used_ms: number(0), runs: number(1), bytes: number(2) }
    }

    fn write(self) -> JsValue {
        Array::of3(&self.used_ms.into(), &self.runs.into(), &self.bytes.into()).into()
    }
}

impl Store {
    /// Opens the database, or makes it.
    pub async fn open() -> Result<Self, Error> {
        let mut request = Factory::new()?.open(DATABASE, Some(1))?;
        request.on_upgrade_needed(|event| {
            // What cannot be made is missed when it is used.
            let Ok(database) = event.database() else { return };
            for name in [CHUNKS, GROUPS] {
                let _ = database.create_object_store(name, ObjectStoreParams::new());
            }
        });
        let database = request.await?;
        let build = js_sys::Reflect::get(&scope().location(), &"search".into()).unwrap_or_default();
        let bytes_max = quota_bytes().await.map_or(BYTES_MAX, |bytes| BYTES_MAX.min(bytes * QUOTA_SHARE));
        Ok(Self { database, build, bytes_max })
    }

    fn transaction(&self, mode: TransactionMode) -> Result<Transaction, Error> {
        self.database.transaction(&[CHUNKS, GROUPS], mode)
    }

    /// The runs of a group. Chunks of another build, and those that are damaged, are deleted; the latter are counted.
    pub async fn load(&self, group: Key) -> Result<LoadedRuns, Error> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        let (chunks, groups) = (transaction.object_store(CHUNKS)?, transaction.object_store(GROUPS)?);
        let names = chunks.get_all_keys(Some(names_of(&group.to_string())?), None)?.await?;
        let values = chunks.get_all(Some(names_of(&group.to_string())?), None)?.await?;
        let (mut found, mut size) = (LoadedRuns::default(), Group { used_ms: js_sys::Date::now(), ..Group::default() });
        for (name, value) in names.into_iter().zip(values) {
            let chunk = Array::from(&value);
            let is_own = chunk.get(0) == self.build;
            let bytes = chunk.get(1).dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).unwrap_or_default();
            let is_whole = is_own && chunk.get(2).as_string() == Some(Key::of_value(&bytes).to_string());
            match postcard::from_bytes::<Vec<(Key, Outcome)>>(&bytes).ok().filter(|_| is_whole) {
                Some(runs) => {
                    size.runs += runs.len() as f64;
                    size.bytes += bytes.len() as f64;
                    found.runs.extend(runs);
                }
                None => {
                    found.chunks_damaged += u32::from(is_own);
                    drop(chunks.delete(name)?.await);
                }
            }
        }
        if size.runs > 0.0 {
            groups.put(&size.write(), Some(&group.to_string().into()))?.await?;
        } else {
            groups.delete(JsValue::from(group.to_string()))?.await?;
        }
        transaction.await?;
        Ok(found)
    }

    /// Keeps runs of a group. Other groups make room for them, those that were used longest ago first.
    pub async fn save(&self, group: Key, runs: &[(Key, Outcome)]) -> Result<(), Error> {
        let bytes = postcard::to_allocvec(runs).unwrap_or_default();
        self.make_room(group, bytes.len() as f64).await?;
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        let (chunks, groups) = (transaction.object_store(CHUNKS)?, transaction.object_store(GROUPS)?);
        let name = format!("{group}/{}-{}", js_sys::Date::now(), js_sys::Math::random());
        // A damaged chunk may still be read as runs: a hash tells.
        let check = JsValue::from(Key::of_value(&bytes).to_string());
        let chunk = Array::of3(&self.build, &Uint8Array::from(bytes.as_slice()), &check);
        chunks.put(&chunk, Some(&name.into()))?.await?;
        let key = JsValue::from(group.to_string());
        let mut size = groups.get(key.clone())?.await?.map(|value| Group::read(&value)).unwrap_or_default();
        size.used_ms = js_sys::Date::now();
        size.runs += runs.len() as f64;
        size.bytes += bytes.len() as f64;
        groups.put(&size.write(), Some(&key))?.await?;
        committed(transaction).await
    }

    async fn make_room(&self, own: Key, bytes: f64) -> Result<(), Error> {
        let mut groups = self.groups().await?;
        let mut total: f64 = bytes + groups.iter().map(|(_, group)| group.bytes).sum::<f64>();
        groups.retain(|(name, _)| *name != own.to_string());
        elastiplan_model::order::sort_by_number(&mut groups, |(_, group)| group.used_ms);
        for (name, group) in groups {
            if total <= self.bytes_max {
                return Ok(());
            }
            self.forget_group(&name).await?;
            total -= group.bytes;
        }
        // Its own earlier runs are all that is left.
        if total > self.bytes_max { self.forget_group(&own.to_string()).await } else { Ok(()) }
    }

    async fn forget_group(&self, name: &str) -> Result<(), Error> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        transaction.object_store(CHUNKS)?.delete(names_of(name)?)?.await?;
        transaction.object_store(GROUPS)?.delete(JsValue::from(name))?.await?;
        committed(transaction).await
    }

    async fn groups(&self) -> Result<Vec<(String, Group)>, Error> {
        let transaction = self.transaction(TransactionMode::ReadOnly)?;
        let groups = transaction.object_store(GROUPS)?;
        let names = groups.get_all_keys(None, None)?.await?;
        let values = groups.get_all(None, None)?.await?;
        let entry = |(name, value): (JsValue, JsValue)| Some((name.as_string()?, Group::read(&value)));
        Ok(names.into_iter().zip(values).filter_map(entry).collect())
    }

    /// Deletes all kept runs.
    pub async fn forget(&self) -> Result<(), Error> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        transaction.object_store(CHUNKS)?.clear()?.await?;
        transaction.object_store(GROUPS)?.clear()?.await?;
        committed(transaction).await
    }

    /// How much is kept.
    pub async fn size(&self) -> Result<KeptRuns, Error> {
        let groups = self.groups().await?;
        let sum = |of: fn(&Group) -> f64| groups.iter().map(|(_, group)| of(group)).sum();
        Ok(KeptRuns { runs: sum(|group| group.runs), bytes: sum(|group| group.bytes), bytes_max: self.bytes_max })
    }
}

/// Waits until a transaction is written. A store that is full takes every request of it, and gives it up afterwards.
pub(crate) async fn committed(transaction: Transaction) -> Result<(), Error> {
    let of_browser = IdbTransaction::from(transaction);
    match Transaction::from(of_browser.clone()).await? {
        TransactionResult::Committed => Ok(()),
        TransactionResult::Aborted => {
            let reason = of_browser.error().map_or(JsValue::UNDEFINED, JsValue::from);
            Err(Error::TransactionCommitError(reason))
        }
    }
}

/// The names of the chunks of a group: after its own name and a `/`, and before that with the next character, `0`.
fn names_of(group: &str) -> Result<Query, Error> {
    let (first, end) = (format!("{group}/").into(), format!("{group}0").into());
    Ok(Query::from(KeyRange::bound(&first, &end, None, Some(true))?))
}

/// What the browser grants to the page; `None` where it does not say.
pub(crate) async fn quota_bytes() -> Option<f64> {
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok().filter(|value| !value.is_falsy());
    let storage = get(&get(&js_sys::global(), "navigator")?, "storage")?;
    let estimate = get(&storage, "estimate")?.dyn_into::<js_sys::Function>().ok()?.call0(&storage).ok()?;
    let estimate = JsFuture::from(estimate.dyn_into::<js_sys::Promise>().ok()?).await.ok()?;
    get(&estimate, "quota")?.as_f64()
}
