//! `cargo xtask serve`: a static file server for this machine alone.

use std::fs::File;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use rouille::{Request, Response, Server, extension_to_mime};

use crate::page;
use crate::project::{Profile, Project};

const PORTS_TO_TRY: u16 = 20;

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
    /// Serves a folder below a path that begins and ends with a slash, at the first free port from `port` on. Port 0
    /// means any free port.
    pub fn start(folder: &Path, mount: &'static str, port: u16) -> Result<Served> {
        let root = folder.canonicalize().with_context(|| format!("cannot serve {}", folder.display()))?;
        let site = Site { root, mount };
        let last = port.saturating_add(PORTS_TO_TRY);
        let start = |port| {
            let site = site.clone();
            Server::new((Ipv4Addr::LOCALHOST, port), move |request| site.respond(request)).ok()
        };
        let server =
            (port..=last).find_map(start).with_context(|| format!("no free port between {port} and {last}"))?;
        let url = format!("http://{}{mount}", server.server_addr());
        let thread = std::thread::spawn(move || server.run());
        Ok(Served { url, thread })
    }

    /// Serves until the program is stopped.
    pub fn wait(self) {
        // The thread ends with the program.
        let _ = self.thread.join();
    }
}

/// A folder and the path of the server that it is found below.
#[derive(Clone)]
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

impl Site {
    fn respond(&self, request: &Request) -> Response {
        let response = match self.answer(&request.url()) {
            Answer::File(path) => match File::open(&path) {
                Ok(file) => Response::from_file(content_type(&path), file),
                Err(_) => Response::text("There is no such file.").with_status_code(404),
            },
            Answer::Redirect(to) => Response::redirect_301(to),
            Answer::NotFound => Response::text("There is no such file.").with_status_code(404),
        };
        response
            .with_additional_header("Cache-Control", "no-cache")
            .with_additional_header("X-Content-Type-Options", "nosniff")
    }

    /// Maps the decoded path of an address to a file below the root, and to no other file whatever the path is.
    fn answer(&self, path: &str) -> Answer {
        let Some(below) = path.strip_prefix(self.mount) else { return Answer::NotFound };
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

fn content_type(file: &Path) -> &'static str {
    extension_to_mime(file.extension().and_then(|extension| extension.to_str()).unwrap_or_default())
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

    fn answer(site: &Site, url: &str) -> Answer {
        site.answer(&Request::fake_http("GET", url, Vec::new(), Vec::new()).url())
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
        assert_eq!(answer(&site, "/deep/"), Answer::File(site.root.join("index.html")));
        assert_eq!(answer(&site, "/deep/a.wasm?v=1"), Answer::File(site.root.join("a.wasm")));
        assert_eq!(answer(&site, "/deep/sub%20dir/b.csv"), Answer::File(site.root.join("sub dir/b.csv")));
        assert_eq!(answer(&site, "/deep/sub%20dir"), Answer::Redirect("/deep/sub%20dir/".into()));
        assert_eq!(answer(&site, "/a.wasm"), Answer::NotFound);
        assert_eq!(answer(&site, "/deep/a.wasm/"), Answer::NotFound);
    }

    #[test]
    fn never_leaves_the_folder() {
        let folder = folder();
        let site = site(&folder);
        let attempts =
            ["../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "..%5csecret.txt", "sub%20dir/../../secret.txt"];
        for attempt in attempts {
            assert_eq!(answer(&site, &format!("/deep/{attempt}")), Answer::NotFound, "{attempt}");
        }
        let absolute = format!("/deep/{}", folder.path().join("secret.txt").display());
        assert_eq!(answer(&site, &absolute), Answer::NotFound);
        assert_eq!(answer(&site, "/deep/%ff"), Answer::NotFound);
        assert_eq!(answer(&site, "/deep/a%00.wasm"), Answer::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn follows_no_link_out_of_the_folder() {
        let folder = folder();
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), folder.path().join("dist/link.txt")).unwrap();
        assert_eq!(answer(&site(&folder), "/deep/link.txt"), Answer::NotFound);
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
        write!(stream, "HEAD /deep/nothing HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 404") && answer.ends_with("\r\n\r\n"), "{answer}");
    }
}
