// Math.exp and Math.log are rounded by the engine, not by IEEE 754; V8 carries its own (fdlibm), the same on every
// machine. No other function of the models is inexact, but for sqrt, which IEEE 754 fixes.

export const logit = (p: number): number => Math.log(p / (1 - p));

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
