//! A PostgreSQL server of the test's own: in a directory of its own, on a loopback port.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use postgres::{Client, Error, NoTls};

pub struct Server {
    dir: PathBuf,
    bin: PathBuf,
    pub port: u16,
    /// Further options, from the next start on.
    pub options: String,
}

/// A running server; none, with a line that says so, where PostgreSQL is not installed.
pub fn start(name: &str) -> Option<Server> {
    let Some(bin) = find_bin() else {
        eprintln!("skipped: no PostgreSQL server is installed (Debian: `apt install postgresql`)");
        return None;
    };
    let dir = std::env::temp_dir().join(format!("privet-pg-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let options = String::new();
    let server = Server {
        dir,
        bin,
        port,
        options,
    };
    if is_root() {
        // The server refuses to run as root.
        run(Command::new("chown").arg("postgres").arg(&server.dir));
    }
    let data = server.dir.join("data");
    run(server
        .command("initdb")
        .args([
            "--auth=trust",
            "--username=privet",
            "--no-locale",
            "--encoding=UTF8",
            "-D",
        ])
        .arg(&data));
    server.restart();
    Some(server)
}

impl Server {
    /// A command of the server's, as a user that may run it.
    pub fn command(&self, program: &str) -> Command {
        let program = self.bin.join(program);
        let mut command;
        if is_root() {
            command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
        } else {
            command = Command::new(program);
        }
        command.current_dir(&self.dir);
        command
    }

    /// Starts it, after stopping it in the middle of whatever it does.
    pub fn restart(&self) {
        self.stop();
        let options = format!(
            "-h 127.0.0.1 -p {} -k {} -c max_connections=200 {}",
            self.port,
            self.dir.display(),
            self.options
        );
        run(self
            .command("pg_ctl")
            .args(["-w", "-t", "120", "-l"])
            .arg(self.dir.join("log"))
            .args(["-o", &options, "-D"])
            .arg(self.dir.join("data"))
            .arg("start"));
    }

    fn stop(&self) {
        let mut stop = self.command("pg_ctl");
        stop.args(["-w", "-m", "immediate", "-D"]);
        let _ = stop.arg(self.dir.join("data")).arg("stop").output();
    }

    /// Where it is, as a connection string.
    pub fn settings(&self) -> String {
        format!(
            "host=127.0.0.1 port={} user=privet dbname=postgres",
            self.port
        )
    }

    /// Its directory.
    #[allow(dead_code, reason = "not every test needs files")]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Makes a file in its directory its own.
    #[allow(dead_code, reason = "not every test needs files")]
    pub fn give(&self, file: &str) {
        if is_root() {
            run(Command::new("chown")
                .arg("postgres")
                .arg(self.dir.join(file)));
        }
    }

    /// How a program connects.
    #[allow(dead_code, reason = "not every test connects in the clear")]
    pub fn connect(&self) -> impl FnMut() -> Result<Client, Error> + Send + Clone + 'static {
        let settings = self.settings();
        move || Client::connect(&settings, NoTls)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Where `initdb` is: on the path, or where Debian puts it.
fn find_bin() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = Path::new("/usr/lib/postgresql").read_dir() {
        dirs.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    let found = dirs
        .into_iter()
        .find(|dir| ["initdb", "pg_ctl"].iter().all(|p| dir.join(p).is_file()))?;
    // Behind links, if they are links: the other programs are there.
    let initdb = found.join("initdb").canonicalize().ok()?;
    initdb.parent().map(Path::to_owned)
}
