//! The processes of a cluster: one scheduler, and executors with privet's code.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;

use crate::blind;
use crate::codec::Codec;
use crate::key::ClusterKey;
use crate::permit::Permits;

/// What an error of a process says; its reasons are constants or the operating system's.
pub type Stopped = Box<dyn std::error::Error>;

/// Which executors are alive is known after so many seconds.
const ALIVE: u64 = 10;

/// Answers that nobody fetched are removed after so many seconds.
const KEPT: u64 = 900;

/// Runs a scheduler at an address, until the process ends.
///
/// # Errors
///
/// If it cannot be started.
pub fn scheduler(at: SocketAddr) -> Result<(), Stopped> {
    quiet();
    let config = SchedulerConfig {
        bind_host: at.ip().to_string(),
        external_host: at.ip().to_string(),
        bind_port: at.port(),
        executor_timeout_seconds: ALIVE,
        expire_dead_executor_interval_seconds: 2,
        executor_termination_grace_period: 0,
        finished_job_data_clean_up_interval_seconds: KEPT,
        finished_job_state_clean_up_interval_seconds: KEPT,
        override_physical_codec: Some(Arc::new(Codec::default())),
        override_session_builder: Some(Arc::new(blind::session)),
        ..SchedulerConfig::default()
    };
    threads()?.block_on(async move {
        let cluster = BallistaCluster::new_from_config(&config).await?;
        start_server(cluster, at, Arc::new(config)).await?;
        Ok(())
    })
}

/// Where an executor is, and where it works.
#[derive(Clone, Debug)]
pub struct Executor {
    /// The scheduler.
    pub scheduler: SocketAddr,
    /// For answers. The port after it is for tasks.
    pub at: SocketAddr,
    /// Made if it is missing, and emptied. Only the owner can look into it.
    pub directory: PathBuf,
    /// How many partitions are computed at once.
    pub cores: usize,
}

/// Runs an executor until the process ends.
///
/// # Errors
///
/// If it cannot be started.
pub fn executor(executor: &Executor, key: ClusterKey) -> Result<(), Stopped> {
    quiet();
    own(&executor.directory)?;
    let work = executor
        .directory
        .to_str()
        .ok_or("the directory's name is not a text")?;
    let next = executor.at.port().checked_add(1);
    let config = ExecutorProcessConfig {
        bind_host: executor.at.ip().to_string(),
        external_host: Some(executor.at.ip().to_string()),
        port: executor.at.port(),
        grpc_port: next.ok_or("there is no port after this one")?,
        scheduler_host: executor.scheduler.ip().to_string(),
        scheduler_port: executor.scheduler.port(),
        scheduler_connect_timeout_seconds: 60,
        vcores: executor.cores.max(1),
        work_dir: Some(work.into()),
        job_data_ttl_seconds: KEPT,
        job_data_clean_up_interval_seconds: 60,
        executor_heartbeat_interval_seconds: 2,
        override_physical_codec: Some(Arc::new(Codec::default())),
        override_execution_engine: Some(Arc::new(Permits::new(key))),
        ..ExecutorProcessConfig::default()
    };
    threads()?.block_on(async move { Ok(start_executor_process(Arc::new(config)).await?) })
}

fn threads() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        // Plans are decoded by recursion.
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()
}

/// PRIVACY: a panic's message could quote a value. No logger is installed either.
fn quiet() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or(String::new(), ToString::to_string);
        eprintln!("a thread panicked at {place}");
    }));
}

/// Empties a directory, or makes it, for its owner alone.
fn own(directory: &Path) -> Result<(), Stopped> {
    // Only what an executor left behind is removed: a directory that is not one of ours stays as it is.
    let mark = directory.join(".privet-executor");
    if directory.exists() {
        if fs::read_dir(directory)?.next().is_some() && !mark.exists() {
            return Err("the directory is not empty, and no executor's; name another".into());
        }
        fs::remove_dir_all(directory)?;
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)?;
    fs::write(mark, "")?;
    Ok(())
}

const USAGE: &str = "usage: scheduler --at HOST:PORT
       executor --scheduler HOST:PORT --at HOST:PORT --key FILE --directory DIR [--cores N]
       key FILE";

/// Runs what the arguments name: a scheduler, an executor, or the drawing of a key.
///
/// # Errors
///
/// If the arguments are wrong, or the process cannot be started.
pub fn run(arguments: &[String]) -> Result<(), Stopped> {
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).map(String::as_str)
    };
    let needed = |name: &str| option(name).ok_or(USAGE);
    match arguments.first().map(String::as_str) {
        Some("scheduler") => scheduler(needed("--at")?.parse()?),
        Some("executor") => {
            let place = Executor {
                scheduler: needed("--scheduler")?.parse()?,
                at: needed("--at")?.parse()?,
                directory: needed("--directory")?.into(),
                cores: option("--cores").unwrap_or("1").parse()?,
            };
            executor(&place, ClusterKey::read(needed("--key")?)?)
        }
        Some("key") => {
            let path = arguments.get(1).ok_or(USAGE)?;
            Ok(ClusterKey::draw().write(path)?)
        }
        _ => Err(USAGE.into()),
    }
}
