/** An unknown or impossible setting. The message is one line that names the variable. */
export class ConfigError extends Error {
  readonly code = 'config';
  readonly variable: string;
  readonly problem: string;
  constructor(variable: string, problem: string) {
    super(`${variable}: ${problem}`.replace(/\s*\n\s*/g, ' '));
    this.name = 'ConfigError';
    this.variable = variable;
    this.problem = problem;
  }
}
