//! Kept work: written at every edit, listed, opened, deleted.

mod record;
mod store;

use elastiplan_documents::{Bundle, OpenedBundle};
use wasm_bindgen_futures::spawn_local;

use self::record::Record;
use self::store::Store;
use crate::global::{post, working_on};
use crate::keeping::{KeepOrder, Kept, KeptEntry, KeptList, NotKept, OpenedScenario};
use crate::messages::{Copy, Failure, MessageError, Request, Response};
use crate::{Packed, opening, writing};

/// Handles a request about kept work. Its responses come later.
pub(crate) fn handle(id: u32, request: Request) {
    spawn_local(async move {
        let response = respond(id, request).await;
        working_on(id);
        let failed = |error: MessageError| {
            Response::Failed(Failure { message: error.to_string(), detail: String::new(), is_fatal: false })
        };
        post(Some(id), &response.unwrap_or_else(failed));
    });
}

async fn respond(id: u32, request: Request) -> Result<Response, MessageError> {
    let list = match request {
        Request::Keep(order) => {
            let kept = match order.unpack::<KeepOrder>() {
                Ok(order) => keep(order).await,
                Err(error) => Err(NotKept::Failed(error.to_string())),
            };
            return Ok(Response::Kept(Packed::of(&kept)?));
        }
        Request::KeptOpen(work) => return Ok(Response::KeptOpened(Packed::of(&open(&work).await)?)),
        Request::KeptDelete(work) => match delete(&work).await {
            Ok(copy) => {
                post(Some(id), &Response::KeptDeleted { id: work, copy });
                list().await
            }
            Err(error) => Err(error),
        },
        Request::KeptRestore(copy) => match restore(&Copy(copy)).await {
            Ok(()) => list().await,
            Err(error) => Err(error),
        },
        Request::KeptChange(work, change) => match Store::open().await {
            Ok(store) => match store.change(&work, change).await {
                Ok(()) => list().await,
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        },
        _ => list().await,
    };
    Ok(Response::KeptList(Packed::of(&list)?))
}

async fn keep(order: KeepOrder) -> Result<Kept, NotKept> {
    let KeepOrder { id, revision, about, work } = order;
    let documents = writing::documents(&work).map_err(NotKept::Failed)?;
    let (bundle, sources) = writing::bundle(&work, &documents);
    let Record { id, about, revision, changed_ms, .. } =
        Store::open().await?.keep(Record::of(id, revision, about, &bundle), &bundle.files).await?;
    Ok(Kept { id, name: about.name, revision, changed_ms, sources })
}

async fn list() -> Result<KeptList, NotKept> {
    let records = Store::open().await?.records().await?;
    let mut list = record::list(&records);
    list.bytes_max = crate::study::store::quota_bytes().await;
    Ok(list)
}

async fn delete(id: &str) -> Result<Copy, NotKept> {
    Store::open().await?.delete(id).await.map(Copy)
}

async fn restore(copy: &Copy) -> Result<(), NotKept> {
    Store::open().await?.restore(&copy.0).await
}

async fn open(id: &str) -> Result<(KeptEntry, OpenedScenario), String> {
    let words = |error: NotKept| match error {
        NotKept::NoStore(reason) | NotKept::Failed(reason) => reason,
        NotKept::Full | NotKept::Gone(_) => "the browser's store cannot be read".into(),
    };
    let (record, members) = Store::open().await.map_err(words)?.members(id).await.map_err(words)?;
    let entry = record::entry(&record);
    let name = &entry.about.name;
    let OpenedBundle { bundle, faults } =
        Bundle::of_members(members).map_err(|error| format!("{name} cannot be opened: {error}"))?;
    let faults = faults.iter().map(ToString::to_string).collect();
    let opened = opening::kept(name, bundle, faults)?;
    Ok((entry, opened))
}
