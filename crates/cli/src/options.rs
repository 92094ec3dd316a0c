//! Options for what runs meet, made from the table of fields.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::fields::{CommandOption, FIELDS, Field, Value};
use elastiplan_scenario::{Conditions, FaultsText, Fork, ForkChange, ForkTextError};

/// Options of all fields, one for all faults together, and one for forks.
pub struct Options {
    pub conditions: Conditions,
}

const FAULTS: &str = "faults";
const FORK: &str = "fork";

fn options() -> impl Iterator<Item = (&'static Field, &'static CommandOption)> {
    FIELDS.iter().filter_map(|field| Some((field, field.option.as_ref()?)))
}

fn argument(field: &'static Field, option: &'static CommandOption) -> Arg {
    let argument = Arg::new(option.name)
        .long(option.name)
        .value_name(option.value_name)
        .help(option.help)
        .value_parser(|text: &str| field.parse(text));
    let argument = option.alias.into_iter().fold(argument, Arg::visible_alias);
    match field.default() {
        Value::Absent => argument,
        default => argument.default_value(default.to_string()),
    }
}

fn faults() -> Arg {
    Arg::new(FAULTS)
        .long(FAULTS)
        .value_name("KEY=NUMBER,...")
        .help(
            "What goes wrong, drawn from the seed: node_mtbf_s=86400,node_repair_s=600,bug_share=0.15,bug_within_s=300, \
             cancel_share=0.1,estimate_error=0.1,profiling_noise=0.05, or some of them",
        )
        .value_parser(str::parse::<FaultsText>)
        .default_value("none")
}

fn fork() -> Arg {
    Arg::new(FORK)
        .long(FORK)
        .value_name("at=TIME CHANGE")
        .help(
            "Change one thing in the middle of every run, some time after the first submission: \"at=2d4h nodes=20\", or \
             policy=tiresias, end=JOB, \"priority=2 job=JOB\", \"fails=3 for=6h\". May be given several times",
        )
        .action(ArgAction::Append)
        .value_parser(read_fork)
}

/// Reads a fork, with a policy that is in this build.
fn read_fork(text: &str) -> Result<Fork, String> {
    let fork: Fork = text.parse().map_err(|error: ForkTextError| error.to_string())?;
    if let ForkChange::Policy(id) = &fork.change {
        id.parse::<PolicySpec>().map_err(|error| error.to_string())?;
    }
    Ok(fork)
}

impl Args for Options {
    fn augment_args(mut command: Command) -> Command {
        for (field, option) in options() {
            command = command.arg(argument(field, option));
            if option.name == "placer" {
                command = command.arg(faults()).arg(fork());
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut options = Self { conditions: Conditions::default() };
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for (field, option) in options() {
            if let Some(value) = matches.get_one::<Value>(option.name) {
                field.write(&mut self.conditions, *value);
            }
        }
        if let Some(faults) = matches.get_one::<FaultsText>(FAULTS) {
            self.conditions.faults = faults.0;
        }
        if let Some(forks) = matches.get_many::<Fork>(FORK) {
            self.conditions.forks = forks.cloned().collect();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Conditions, String> {
        let matches = Options::augment_args(Command::new("test")).try_get_matches_from([&["test"], arguments].concat());
        let matches = matches.map_err(|error| error.to_string())?;
        Ok(Options::from_arg_matches(&matches).unwrap().conditions)
    }

    #[test]
    fn without_options_conditions_are_the_default() {
        assert_eq!(parsed(&[]), Ok(Conditions::default()));
    }

    #[test]
    fn every_field_with_an_option_is_listed_set_and_checked() {
        let help = Options::augment_args(Command::new("test")).render_help().to_string();
        for (field, option) in options() {
            assert!(help.contains(&format!("--{} <{}>", option.name, option.value_name)), "{help}");
            let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(option.help), "{} is not in {words}", option.help);
            let mut expected = Conditions::default();
            let value = field.example();
            field.set(&mut expected, value).unwrap();
            let set = format!("--{}={value}", option.name);
            assert_eq!(parsed(&[&set]), Ok(expected), "{set}");
            let error = parsed(&[&format!("--{}=no:no", option.name)]).unwrap_err();
            assert!(error.contains(&format!("no:no is not {}", field.access.rule())), "{error}");
            if value.number().is_some() {
                let error = parsed(&[&format!("--{}=-15000000000000", option.name)]).unwrap_err();
                assert!(error.contains(&format!("-15000000000000 is not {}", field.access.rule())), "{error}");
            }
        }
    }

    #[test]
    fn every_fault_is_listed_set_and_checked_by_one_option() {
        let help = Options::augment_args(Command::new("test")).render_help().to_string();
        // Machines have options of their own.
        let of_conditions = FIELDS.iter().filter(|field| !field.access.is_of_cluster());
        for field in of_conditions.filter(|field| field.option.is_none()) {
            let (section, name) = field.place();
            if section != "conditions.faults" {
                // A measured constant of a published simulator: only scenarios that follow it say so.
                assert_eq!(field.key, "conditions.rescale_per_doubling_s");
                continue;
            }
            assert!(help.contains(&format!("{name}=")), "{name} is not in {help}");
            // Nodes that fail need a time to be repaired.
            let repair = if name == "node_repair_s" { "" } else { "node_repair_s=60," };
            let value = field.example();
            let conditions = parsed(&[&format!("--faults={repair}{name}={value}")]).unwrap();
            assert_eq!(field.get(&conditions), value, "{name}");
            let error = parsed(&[&format!("--faults={repair}{name}=-15000000000000")]).unwrap_err();
            assert!(error.contains(&format!("{name}: -15000000000000 is not {}", field.access.rule())), "{error}");
        }
    }

    #[test]
    fn forks_are_read_in_their_order() {
        let forks = |arguments: &[&str]| {
            let texts = |conditions: Conditions| conditions.forks.iter().map(ToString::to_string).collect::<Vec<_>>();
            parsed(arguments).map(texts)
        };
        let given = ["--fork", "at=2d4h nodes=20", "--fork=at=90m policy=tiresias"];
        assert_eq!(forks(&given), Ok(vec!["at=2d4h nodes=20".into(), "at=1h30m policy=tiresias".into()]));
        let error = |text: &str| forks(&["--fork", text]).unwrap_err();
        assert!(error("nodes=20").contains("write at=TIME, then the change"));
        assert!(error("at=5 policy=tiresia").contains("tiresias"), "{}", error("at=5 policy=tiresia"));
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_their_rule() {
        let error = |argument: &str| parsed(&[argument]).unwrap_err();
        assert_eq!(
            error("--checkpoint-interval-s=0").lines().next(),
            Some(
                "error: invalid value '0' for '--checkpoint-interval-s <SECONDS>': 0 is not a number of seconds above 0, \
                 at most 1e11"
            )
        );
        assert_eq!(parsed(&["--rescale-down-s=0"]).unwrap().rescale_down_s, Some(0.0));
        assert_eq!(parsed(&["--restart-delay-s=5"]).unwrap().rescale_cost_s, 5.0);
    }
}
