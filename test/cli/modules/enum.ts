// TypeScript that Node does not take as it is.
export enum Greeting {
  Hello = 'Hello.',
}
