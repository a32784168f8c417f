/**
 * The default intent: what `resolve` returned, without the values that `operationId` read. Two calls with one ID agree
 * in those by the ID itself; the rest (a quantity, an address) is what they could differ in.
 */
export function unreadBy<Objects extends object>(operationId: (objects: Objects) => unknown, objects: Objects): object {
  const read = new Set<PropertyKey>();
  operationId(
    new Proxy(objects, {
      get(target, name) {
        read.add(name);
        return Reflect.get(target, name);
      },
    }),
  );
  return Object.fromEntries(Object.entries(objects).filter(([name]) => !read.has(name)));
}
