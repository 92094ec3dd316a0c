//! `cargo xtask serve`: a static file server for this machine alone.
//!
//! It is written by hand because tiny_http queues connections for a pool of threads: browsers open connections ahead of
//! need, and there forty silent ones keep a request of another waiting.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};
use percent_encoding::percent_decode_str;

use crate::page;
use crate::project::{Profile, Project};

const PORTS_TO_TRY: u16 = 20;
/// A connection without a request for so long is closed: browsers open some ahead of need.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest request that is read.
const REQUEST_BYTES: u64 = 1 << 16;

/// Builds the page and serves it until the program is stopped.
pub fn serve(project: &Project, port: u16, profile: Profile) -> Result<()> {
    let dist = page::build(project, profile)?;
    let served = Served::start(&dist, "/", port)?;
    println!("\nElastiplan is at {} (Ctrl+C stops it)", served.url);
    served.wait();
    Ok(())
}

/// A folder that is being served.
pub struct Served {
    pub url: String,
    thread: JoinHandle<()>,
}

impl Served {
    /// Serves a folder below a path that begins and ends with a slash. Port 0 means any free port.
    pub fn start(folder: &Path, mount: &'static str, port: u16) -> Result<Served> {
        let root = folder.canonicalize().with_context(|| format!("cannot serve {}", folder.display()))?;
        let listener = listen(port)?;
        let address = listener.local_addr()?;
        let site = Arc::new(Site { root, mount });
        // A thread for each connection: no connection that a browser keeps open can make another one wait.
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let site = site.clone();
                std::thread::spawn(move || site.serve(stream));
            }
        });
        Ok(Served { url: format!("http://{address}{mount}"), thread })
    }

    /// Serves until the program is stopped.
    pub fn wait(self) {
        // The thread ends with the program.
        let _ = self.thread.join();
    }
}

fn listen(port: u16) -> Result<TcpListener> {
    let last = port.saturating_add(PORTS_TO_TRY);
    let mut attempts = (port..=last).map(|port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))));
    attempts.find_map(Result::ok).with_context(|| format!("no free port between {port} and {last}"))
}

/// A folder and the path of the server that it is found below.
struct Site {
    root: PathBuf,
    mount: &'static str,
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    File(PathBuf),
    Redirect(String),
    NotFound,
}

/// An HTTP response.
struct Response {
    status: &'static str,
    content_type: String,
    location: Option<String>,
    content: Vec<u8>,
}

impl Site {
    /// Answers one request and closes the connection.
    fn serve(&self, mut stream: TcpStream) {
        let answered = stream.set_read_timeout(Some(PATIENCE)).and_then(|()| {
            let Some((method, url)) = read_request(&stream)? else { return Ok(()) };
            let response = match method.as_str() {
                "GET" | "HEAD" => self.response(&url),
                _ => text("405 Method Not Allowed", "Only GET and HEAD are understood here."),
            };
            stream.write_all(&response.bytes(method == "HEAD"))
        });
        // The browser may have closed the connection: there is nothing left to report to.
        drop(answered);
    }

    fn response(&self, url: &str) -> Response {
        match self.answer(url) {
            Answer::File(file) => match std::fs::read(&file) {
                Ok(content) => Response { content, content_type: content_type(&file), ..text("200 OK", "") },
                Err(_) => text("404 Not Found", "There is no such file."),
            },
            Answer::Redirect(to) => Response { location: Some(to), ..text("301 Moved Permanently", "Moved.") },
            Answer::NotFound => text("404 Not Found", "There is no such file."),
        }
    }

    /// Maps an address to a file below the root, and to no other file whatever the address is.
    fn answer(&self, url: &str) -> Answer {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let Some(below) = path.strip_prefix(self.mount) else { return Answer::NotFound };
        let Ok(below) = percent_decode_str(below).decode_utf8() else { return Answer::NotFound };
        let is_plain = |name: &str| name != ".." && !name.contains(['\\', ':', '\0']);
        if !below.split('/').all(is_plain) {
            return Answer::NotFound;
        }
        // Links are followed first, so that none leads out of the folder.
        let joined = below.split('/').filter(|name| !name.is_empty()).fold(self.root.clone(), |at, name| at.join(name));
        let Ok(file) = joined.canonicalize() else { return Answer::NotFound };
        if !file.starts_with(&self.root) {
            return Answer::NotFound;
        }
        match (file.is_dir(), path.ends_with('/')) {
            (false, false) => Answer::File(file),
            (false, true) => Answer::NotFound,
            (true, true) => Answer::File(file.join("index.html")),
            // Without the slash, the page's relative addresses would point beside the folder.
            (true, false) => Answer::Redirect(format!("{path}/")),
        }
    }
}

/// Method and address of a request; `None` if the connection ends without one. Headers are skipped.
fn read_request(stream: &TcpStream) -> io::Result<Option<(String, String)>> {
    let mut lines = BufReader::new(stream.take(REQUEST_BYTES)).lines();
    let Some(first) = lines.next().transpose()? else { return Ok(None) };
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = first.split(' ');
    let pair = words.next().zip(words.next());
    Ok(pair.map(|(method, url)| (method.to_string(), url.to_string())))
}

impl Response {
    fn bytes(&self, head_only: bool) -> Vec<u8> {
        let Response { status, content_type, location, content } = self;
        let length = content.len();
        let mut bytes = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
             Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n"
        );
        if let Some(location) = location {
            bytes += &format!("Location: {location}\r\n");
        }
        let mut bytes = (bytes + "\r\n").into_bytes();
        if !head_only {
            bytes.extend(content);
        }
        bytes
    }
}

fn text(status: &'static str, message: &str) -> Response {
    Response { status, content_type: "text/plain; charset=utf-8".into(), location: None, content: message.into() }
}

fn content_type(file: &Path) -> String {
    let kind = mime_guess::from_path(file).first_or_octet_stream();
    if kind.type_() == mime_guess::mime::TEXT { format!("{kind}; charset=utf-8") } else { kind.to_string() }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    fn site(folder: &tempfile::TempDir) -> Site {
        let root = folder.path().join("dist").canonicalize().unwrap();
        Site { root, mount: "/deep/" }
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("dist/sub dir")).unwrap();
        for file in ["secret.txt", "dist/index.html", "dist/a.wasm", "dist/sub dir/b.csv"] {
            std::fs::write(folder.path().join(file), file).unwrap();
        }
        folder
    }

    #[test]
    fn finds_files_below_the_mount_only() {
        let folder = folder();
        let site = site(&folder);
        assert_eq!(site.answer("/deep/"), Answer::File(site.root.join("index.html")));
        assert_eq!(site.answer("/deep/a.wasm?v=1"), Answer::File(site.root.join("a.wasm")));
        assert_eq!(site.answer("/deep/sub%20dir/b.csv"), Answer::File(site.root.join("sub dir/b.csv")));
        assert_eq!(site.answer("/deep/sub%20dir"), Answer::Redirect("/deep/sub%20dir/".into()));
        assert_eq!(site.answer("/a.wasm"), Answer::NotFound);
        assert_eq!(site.answer("/deep/a.wasm/"), Answer::NotFound);
    }

    #[test]
    fn never_leaves_the_folder() {
        let folder = folder();
        let site = site(&folder);
        let attempts =
            ["../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "..%5csecret.txt", "sub%20dir/../../secret.txt"];
        for attempt in attempts {
            assert_eq!(site.answer(&format!("/deep/{attempt}")), Answer::NotFound, "{attempt}");
        }
        let absolute = format!("/deep/{}", folder.path().join("secret.txt").display());
        assert_eq!(site.answer(&absolute), Answer::NotFound);
        assert_eq!(site.answer("/deep/%ff"), Answer::NotFound);
        assert_eq!(site.answer("/deep/a%00.wasm"), Answer::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn follows_no_link_out_of_the_folder() {
        let folder = folder();
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), folder.path().join("dist/link.txt")).unwrap();
        assert_eq!(site(&folder).answer("/deep/link.txt"), Answer::NotFound);
    }

    #[test]
    fn answers_with_the_right_headers() {
        let folder = folder();
        let served = Served::start(&folder.path().join("dist"), "/deep/", 0).unwrap();
        let host = served.url.strip_prefix("http://").and_then(|url| url.strip_suffix("/deep/")).unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /deep/a.wasm HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains("Content-Type: application/wasm\r\n"), "{answer}");
        assert!(answer.contains("Cache-Control: no-cache\r\n"), "{answer}");
        assert!(answer.ends_with("dist/a.wasm"), "{answer}");
    }

    #[test]
    fn silent_connections_delay_no_other() {
        let folder = folder();
        let served = Served::start(&folder.path().join("dist"), "/deep/", 0).unwrap();
        let host = served.url.strip_prefix("http://").and_then(|url| url.strip_suffix("/deep/")).unwrap();
        let _silent: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(host).unwrap()).collect();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "HEAD /deep/nothing HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 404") && answer.ends_with("\r\n\r\n"), "{answer}");
    }
}
