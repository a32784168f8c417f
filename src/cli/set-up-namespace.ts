import { registerSearchAttributes } from '../search-attributes';
import { withTemporal } from '../with-temporal';
import { print } from './print';

/** `sendonce setup`: registers the search attributes that are missing. Throws SearchAttributesError. */
export async function setUpNamespace(): Promise<void> {
  await withTemporal(async (connection, namespace) => {
    const registered = await registerSearchAttributes(connection, namespace);
    print(
      registered.length === 0
        ? `The namespace ${namespace} has its search attributes.`
        : `The namespace ${namespace} has its search attributes; registered ${registered.join(', ')}.`,
    );
  });
}
