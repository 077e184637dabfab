const signs: Record<string, string> = {
  GET: 'is-info',
  POST: 'is-success',
  PATCH: 'is-warning',
  DELETE: 'is-danger',
}

/** Method and path of an endpoint. The path may wrap anywhere, as it can be wider than a phone. */
export function Address({ method, path }: { method: string; path: string }) {
  return (
    <span className="reference-address">
      <span className={`badge ${signs[method] ?? ''}`}>{method}</span> <code>{path}</code>
    </span>
  )
}
