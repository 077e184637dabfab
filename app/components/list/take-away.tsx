export interface TakeAwayProps {
  /** The path of what is exported in `/v1`. */
  path: string
  hasGeometry: boolean
  /** The address a program calls. */
  api: string
  isPublic: boolean
}

/** The records as files, and as a call that a program makes. */
export function TakeAway({ path, hasGeometry, api, isPublic }: TakeAwayProps) {
  const formats = ['csv', 'json', ...(hasGeometry ? ['geojson'] : [])]
  const names: Record<string, string> = { csv: 'CSV', json: 'JSON', geojson: 'GeoJSON' }
  const key = isPublic ? '' : " \\\n  -H 'authorization: Bearer YOUR_ACCOUNT_KEY'"
  return (
    <section className="stack" aria-labelledby="take-away">
      <h2 id="take-away">Take it away</h2>
      <div className="button-group">
        {formats.map((format) => (
          <a key={format} className="button" href={`${path}/export?format=${format}`} download="">
            Download {names[format]}
          </a>
        ))}
      </div>
      <p className="muted">Or ask for the records from a program:</p>
      <pre className="code" tabIndex={0}>
        <code>
          curl '{api}'{key}
        </code>
      </pre>
    </section>
  )
}
