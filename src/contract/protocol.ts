/**
 * The protocol between a view and the runtime. The number changes when a method or event changes shape; both sides say
 * theirs in `system.hello` and refuse a different one with `protocol_mismatch` (the owner is told to restart).
 */
export const PROTOCOL_VERSION = 1;
