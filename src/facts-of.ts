/** An error's message and code, by shape: an error of Node is no instance of the Error of another realm, such as a jest test's. */
export function factsOf(error: unknown): { readonly message?: string; readonly code?: string } {
  return typeof error === 'object' && error !== null ? error : {};
}
