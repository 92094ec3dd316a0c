//! Options for what runs meet, made from the table of fields.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use elastiplan_scenario::fields::{CommandOption, FIELDS, Field, Value};
use elastiplan_scenario::{Conditions, FaultsText};

/// Options of all fields, and one for all faults together.
pub struct Options {
    pub conditions: Conditions,
}

const FAULTS: &str = "faults";

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

impl Args for Options {
    fn augment_args(mut command: Command) -> Command {
        for (field, option) in options() {
            command = command.arg(argument(field, option));
            if option.name == "placer" {
                command = command.arg(faults());
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
            let error = parsed(&[&format!("--{}=no", option.name)]).unwrap_err();
            assert!(error.contains(&format!("no is not {}", field.access.rule())), "{error}");
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
