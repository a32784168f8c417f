import type { ApiRequest } from './api-request';

/** The endpoint of a request. The names of the first four are those that faults are armed for. */
export type Route =
  | { readonly name: 'create' }
  | { readonly name: 'list' }
  | { readonly name: 'retrieve'; readonly id: string }
  /** `id` null lists them. */
  | { readonly name: 'events'; readonly id: string | null }
  | { readonly name: 'payment'; readonly id: string }
  | { readonly name: 'none' };

export function routeOf(request: Pick<ApiRequest, 'method' | 'path'>): Route {
  const { method, path } = request;
  if (method === 'POST' && path === '/v1/refunds') return { name: 'create' };
  const [collection, id] = /^\/v1\/(refunds|events|payment_intents)(?:\/([^/]+))?$/.exec(path)?.slice(1) ?? [];
  if (method !== 'GET' || collection === undefined) return { name: 'none' };
  const decoded = id === undefined ? null : decodeSegment(id);
  if (collection === 'events') return { name: 'events', id: decoded };
  if (collection === 'refunds') return decoded === null ? { name: 'list' } : { name: 'retrieve', id: decoded };
  return decoded === null ? { name: 'none' } : { name: 'payment', id: decoded };
}

/** A segment that cannot be decoded names nothing that exists. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
