//! Roles: the states of a process in its algorithm's own words.

/// The roles of an algorithm, each with its name in reports and its decision:
///
/// ```
/// use bellwether_core::{Id, Status, roles};
///
/// roles! {
///     #[derive(Copy)]
///     enum Role {
///         /// No election has reached it yet.
///         Asleep = "asleep" => Undecided,
///         /// Waits for its id to come home.
///         Candidate { phase: u32 } = "candidate" => Undecided,
///         Leader = "leader" => Leader,
///         Follower(leader: Id) = "follower" => Follower(Some(*leader)),
///     }
/// }
///
/// let role = Role::Candidate { phase: 3 };
/// assert_eq!((role.name(), role.status()), ("candidate", Status::Undecided));
/// assert_eq!(Role::Follower(Id(5)).status(), Status::Follower(Some(Id(5))));
/// # let _ = (Role::Asleep, Role::Leader);
/// ```
///
/// After `=>` stands a [`Status`](crate::Status); fields are references. If a decision depends on more than the role,
/// the table has no arrows. Then there is no `status()`.
#[macro_export]
macro_rules! roles {
    (
        $(#[$meta:meta])*
        enum $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident $(( $($field:ident : $type:ty),* ))? $({ $($named:ident : $named_type:ty),* $(,)? })?
                    = $role:literal => $status:expr
            ),+ $(,)?
        }
    ) => {
        $crate::roles! {
            $(#[$meta])*
            enum $name {
                $(
                    $(#[$variant_meta])*
                    $variant $(($($field: $type),*))? $({ $($named: $named_type),* })? = $role
                ),+
            }
        }

        impl $name {
            #[inline]
            #[allow(unused_variables, reason = "most decisions depend on the variant alone")]
            fn status(&self) -> $crate::Status {
                #[allow(unused_imports, reason = "not every table has all of them")]
                use $crate::Status::{Follower, Leader, Undecided};
                match self {
                    $( Self::$variant $(($($field),*))? $({ $($named),* })? => $status ),+
                }
            }
        }
    };
    (
        $(#[$meta:meta])*
        enum $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident $(( $($field:ident : $type:ty),* ))? $({ $($named:ident : $named_type:ty),* $(,)? })?
                    = $role:literal
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        enum $name {
            $( $(#[$variant_meta])* $variant $(($($type),*))? $({ $($named: $named_type),* })? ),+
        }

        impl $name {
            #[inline]
            fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant { .. } => $role ),+
                }
            }
        }

        /// All fields have names, so that they can be shown as variables.
        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $( Self::$variant $(($($field),*))? $({ $($named),* })? => {
                        f.debug_struct(stringify!($variant))
                            $($(.field(stringify!($field), $field))*)?
                            $($(.field(stringify!($named), $named))*)?
                            .finish()
                    } ),+
                }
            }
        }
    };
}

/// Reads status and role of a process from the field that holds its role: for an `impl` of
/// [`Process`](crate::Process) or [`Rounds`](crate::Rounds).
///
/// ```
/// use bellwether_core::{Id, Status, roles, status_and_role};
///
/// roles! {
///     enum Role {
///         Candidate = "candidate" => Undecided,
///         Leader = "leader" => Leader,
///     }
/// }
///
/// struct Mine {
///     role: Role,
/// }
///
/// impl Mine {
///     status_and_role!(self.role);
/// }
///
/// let mine = Mine { role: Role::Leader };
/// assert_eq!((mine.role(), mine.status()), ("leader", Status::Leader));
/// # let _ = Role::Candidate;
/// ```
#[macro_export]
macro_rules! status_and_role {
    (self.$field:ident) => {
        #[inline]
        fn status(&self) -> $crate::Status {
            self.$field.status()
        }

        #[inline]
        fn role(&self) -> &'static str {
            self.$field.name()
        }
    };
}
