// IEEE 754 does not fix the rounding of Math.exp and Math.log. V8 has its own implementation (fdlibm), which gives the
// same results on every machine. The models use no other inexact function except sqrt, which IEEE 754 fixes.

export const logit = (p: number): number => Math.log(p / (1 - p));

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
