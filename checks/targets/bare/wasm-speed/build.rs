//! The streams are on the stack, which the linker makes large enough.

fn main() {
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
}
