//! One attempt: a plan is sent to the scheduler, its answers are fetched from executors, its data is removed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use ballista_core::client::BallistaClient;
use ballista_core::extension::SessionConfigExt;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, CleanJobDataParams, ExecuteQueryParams, GetJobStatusParams, KeyValuePair,
    PartitionLocation, execute_query_result, job_status,
};
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use ballista_core::version::insert_version_header;
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::UInt32Type;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::StreamExt;
use tonic::transport::Channel;

use crate::codec::Codec;

/// How often the scheduler is asked whether the plan is done: at first, and after a while.
const ASKED: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];

/// How long one call may take.
const CALL: Duration = Duration::from_secs(20);

/// The most bytes of a message.
const MESSAGE: usize = 16 << 20;

/// A reason that quotes nothing: what the cluster says is dropped.
pub type Reason = &'static str;

const UNREACHED: Reason = "the cluster's scheduler cannot be reached";
const UNFETCHED: Reason = "an executor's answer cannot be fetched";

/// A connection to a scheduler.
pub struct Client {
    scheduler: SchedulerGrpcClient<Channel>,
    config: SessionConfig,
}

/// A plan as bytes.
pub fn written(plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<u8>, Reason> {
    let codec = Codec::default();
    let node = PhysicalPlanNode::try_from_physical_plan(Arc::clone(plan), &codec);
    let mut bytes = Vec::new();
    let written = node.and_then(|node| node.try_encode(&mut bytes));
    written.map_err(|_| "its scan cannot be sent to other machines")?;
    Ok(bytes)
}

async fn call<T, E>(work: impl Future<Output = Result<T, E>>, reason: Reason) -> Result<T, Reason> {
    match tokio::time::timeout(CALL, work).await {
        Ok(Ok(done)) => Ok(done),
        _ => Err(reason),
    }
}

impl Client {
    /// Connects to the scheduler at a URL.
    pub async fn connect(url: &str, config: SessionConfig) -> Result<Self, Reason> {
        let config = config.upgrade_for_ballista();
        let grpc = GrpcClientConfig::from(&config.ballista_config());
        let endpoint = create_grpc_client_endpoint(url.to_owned(), Some(&grpc));
        let endpoint = endpoint.map_err(|_| UNREACHED)?;
        let channel = call(endpoint.connect(), UNREACHED).await?;
        let scheduler = SchedulerGrpcClient::new(channel);
        Ok(Client {
            scheduler: scheduler
                .max_decoding_message_size(MESSAGE)
                .max_encoding_message_size(MESSAGE),
            config,
        })
    }

    /// Runs a plan, and returns its sealed answers. Whatever happens, the cluster is told to forget it.
    pub async fn run(
        &mut self,
        plan: &Arc<dyn ExecutionPlan>,
        within: Duration,
    ) -> Result<Vec<Vec<u8>>, Reason> {
        let job = self.submit(plan).await?;
        let answers = async {
            let places = self.done(&job).await?;
            let fetched = futures::future::try_join_all(places.into_iter().map(fetch));
            assemble(&fetched.await?.concat())
        };
        let late = Err("the cluster did not answer before the deadline");
        let answers = tokio::time::timeout(within, answers).await.unwrap_or(late);
        // Where these fail, the scheduler removes the data later. It is sealed in any case.
        if answers.is_err() {
            let cancel = CancelJobParams {
                job_id: job.clone(),
            };
            let _ = call(self.scheduler.cancel_job(cancel), UNREACHED).await;
        }
        let clean = CleanJobDataParams {
            job_id: job,
            remove_stage_ids: Vec::new(),
        };
        let _ = call(self.scheduler.clean_job_data(clean), UNREACHED).await;
        answers
    }

    async fn submit(&mut self, plan: &Arc<dyn ExecutionPlan>) -> Result<String, Reason> {
        let bytes = written(plan)?;
        let entries = self.config.options().entries().into_iter();
        let query = ExecuteQueryParams {
            query: Some(Query::PhysicalPlan(bytes)),
            settings: entries
                .map(|entry| KeyValuePair {
                    key: entry.key,
                    value: entry.value,
                })
                .collect(),
            session_id: uuid::Uuid::new_v4().to_string(),
            operation_id: uuid::Uuid::new_v4().to_string(),
        };
        let mut request = tonic::Request::new(query);
        insert_version_header(request.metadata_mut());
        let result = call(self.scheduler.execute_query(request), UNREACHED).await?;
        match result.into_inner().result {
            Some(execute_query_result::Result::Success(job)) => Ok(job.job_id),
            _ => Err("the cluster's scheduler refuses the plan"),
        }
    }

    /// Waits until the plan is done; where its answers are.
    async fn done(&mut self, job: &str) -> Result<Vec<PartitionLocation>, Reason> {
        let [mut pause, longest] = ASKED;
        loop {
            let ask = GetJobStatusParams {
                job_id: job.to_owned(),
            };
            let status = call(self.scheduler.get_job_status(ask), UNREACHED).await?;
            match status.into_inner().status.and_then(|status| status.status) {
                Some(job_status::Status::Successful(job)) => return Ok(job.partition_location),
                Some(job_status::Status::Failed(_)) => {
                    return Err("the cluster could not run the plan");
                }
                _ => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(longest);
        }
    }
}

async fn fetch(place: PartitionLocation) -> Result<Vec<RecordBatch>, Reason> {
    let layout = place.layout();
    let (Some(executor), Some(partition)) = (place.executor_meta, place.partition_id) else {
        return Err(UNFETCHED);
    };
    let port = u16::try_from(executor.port).map_err(|_| UNFETCHED)?;
    let client = BallistaClient::try_new(&executor.host, port, MESSAGE, false, None, 2, 100, 0, 0);
    let mut client = call(client, UNFETCHED).await?;
    let partition = partition.into();
    let rows = client.fetch_partition(&executor.id, &partition, place.file_id, layout, true);
    let mut rows = call(rows, UNFETCHED).await?;
    let mut batches = Vec::new();
    while let Some(batch) = rows.next().await {
        batches.push(batch.map_err(|_| UNFETCHED)?);
    }
    Ok(batches)
}

/// How many pieces an answer has, and those that came, by their places.
type Pieces<'a> = (u32, BTreeMap<u32, &'a [u8]>);

/// Puts the pieces of each answer together. How many there are is a number of the network's: nothing is
/// allocated for it.
fn assemble(batches: &[RecordBatch]) -> Result<Vec<Vec<u8>>, Reason> {
    const LOST: Reason = "a piece of an answer is missing";
    let mut answers: HashMap<&[u8], Pieces<'_>> = HashMap::new();
    for batch in batches {
        let [answer, piece, pieces, sealed] = batch.columns() else {
            return Err(LOST);
        };
        let (Some(answer), Some(piece), Some(pieces), Some(sealed)) = (
            answer.as_fixed_size_binary_opt(),
            piece.as_primitive_opt::<UInt32Type>(),
            pieces.as_primitive_opt::<UInt32Type>(),
            sealed.as_binary_opt::<i32>(),
        ) else {
            return Err(LOST);
        };
        for row in 0..batch.num_rows() {
            let count = pieces.value(row);
            let (said, found) = answers
                .entry(answer.value(row))
                .or_insert((count, BTreeMap::new()));
            if *said != count || found.insert(piece.value(row), sealed.value(row)).is_some() {
                return Err(LOST);
            }
        }
    }
    let whole = |(count, pieces): Pieces<'_>| {
        let places = pieces.keys().copied();
        places
            .eq(0..count)
            .then(|| pieces.into_values().collect::<Vec<_>>().concat())
    };
    answers
        .into_values()
        .map(|pieces| whole(pieces).ok_or(LOST))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{
        ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch, UInt32Array,
    };

    use super::assemble;
    use crate::cells::schema;

    fn piece(answer: u8, place: u32, count: u32, sealed: &[u8]) -> RecordBatch {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(FixedSizeBinaryArray::try_from_iter([[answer; 16]].into_iter()).unwrap()),
            Arc::new(UInt32Array::from_iter_values([place])),
            Arc::new(UInt32Array::from_iter_values([count])),
            Arc::new(BinaryArray::from_iter_values([sealed])),
        ];
        RecordBatch::try_new(schema(), columns).unwrap()
    }

    #[test]
    fn answers_are_put_together_whatever_the_order_of_their_pieces() {
        let batches = [
            piece(1, 1, 2, b"b"),
            piece(2, 0, 1, b"c"),
            piece(1, 0, 2, b"a"),
        ];
        let mut whole = assemble(&batches).unwrap();
        whole.sort();
        assert_eq!(whole, [b"ab".to_vec(), b"c".to_vec()]);
        assert!(assemble(&[]).unwrap().is_empty());
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        for batches in [
            vec![piece(1, 0, 2, b"a")],
            vec![piece(1, 1, 1, b"a")],
            vec![piece(1, 0, 0, b"a")],
            vec![piece(1, 0, 1, b"a"), piece(1, 0, 1, b"b")],
            vec![piece(1, 0, 2, b"a"), piece(1, 1, 3, b"b")],
            // A count that no machine has the memory for.
            vec![piece(1, u32::MAX, u32::MAX, b"a")],
        ] {
            assert!(assemble(&batches).is_err());
        }
        let empty = RecordBatch::new_empty(Arc::new(datafusion::arrow::datatypes::Schema::empty()));
        assert!(assemble(&[empty]).is_err());
    }
}
