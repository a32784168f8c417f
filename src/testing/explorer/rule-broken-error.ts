/** A rule that is broken in the middle of a move, where there is no world after it. */
export class RuleBrokenError extends Error {
  readonly rule: string;

  constructor(rule: string, what: string) {
    super(what);
    this.rule = rule;
  }
}
