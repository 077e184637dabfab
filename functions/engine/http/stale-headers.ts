/** What an answer of older data says of itself, made at a moment (ms); no one is to keep it as one of today. */
export function staleHeaders(at: number): Record<string, string> {
  return {
    'cache-control': 'no-store',
    age: String(Math.max(0, Math.floor((Date.now() - at) / 1000))),
    warning: '110 - "Response is Stale"',
    'x-snapshot-date': new Date(at).toISOString(),
  }
}
