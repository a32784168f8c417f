import { RefusedError } from '../../operations/refused-error';
import type { StoredRequest } from '../../operations/request';
import type { EffectMark } from '../provider';
import { expectedRefund } from './expected-refund';
import { encodeForm } from './form';
import { checkMark, MARK_NAMES } from './refund-request';

/**
 * The stored refund under another operation's marks. Field by field in the text as it stands: what was encoded by an
 * earlier release, or has fields that this one would write otherwise, keeps every other byte.
 */
export function remarkRefund(request: StoredRequest, mark: EffectMark): StoredRequest {
  if (expectedRefund(request) === null) throw new RefusedError('The stored request is no refund of ours.');
  checkMark(mark);
  const marks = new Map([
    [`metadata[${MARK_NAMES.operationId}]`, mark.operationId],
    [`metadata[${MARK_NAMES.key}]`, mark.key],
  ]);
  const fields = request.body.split('&').map((field) => {
    const [name = ''] = new URLSearchParams(field).keys();
    const value = marks.get(name);
    return value === undefined ? field : encodeForm([[name, value]]);
  });
  return { ...request, body: fields.join('&') };
}
