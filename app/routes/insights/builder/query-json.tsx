import { useContext, useEffect, useRef, useState } from 'react'
import { queryText } from '#app/client/api/query.ts'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import type { Draft } from '#app/components/builder/draft.ts'
import { isObject, type JsonObject } from '#app/components/builder/json.ts'
import { FormChanged } from '#app/components/form/draft-field.tsx'

export interface QueryJsonProps {
  draft: Draft
  placeId: string
  origin: string
  onChange(query: JsonObject, tag?: string): void
}

/** The query as editable JSON, and its API request. The text is part of the form: without scripts the query is written here. */
export function QueryJson({ draft, placeId, origin, onChange }: QueryJsonProps) {
  const [typedText, setTypedText] = useState<string | null>(null)
  const markChanged = useContext(FormChanged)
  const before = useRef(draft.query)
  useEffect(() => {
    // The clauses are edited without form inputs, so the form is notified here.
    if (before.current !== draft.query) markChanged()
    before.current = draft.query
  }, [draft.query, markChanged])
  const text = typedText ?? JSON.stringify(draft.query, null, 2)
  const problem = typedText === null ? null : findQueryProblem(typedText)
  const call = formatCurlCommand(draft, placeId, origin)
  return (
    <>
      <details className="disclosure" open={problem === null ? undefined : true}>
        <summary>The question as JSON</summary>
        <label className="field">
          <span className="sr-only">The question as JSON</span>
          <textarea
            name="query"
            className="code"
            rows={14}
            spellCheck={false}
            aria-invalid={problem === null ? undefined : true}
            value={text}
            onFocus={() => setTypedText(text)}
            onBlur={() => problem === null && setTypedText(null)}
            onChange={(event) => {
              setTypedText(event.target.value)
              const query = parse(event.target.value)
              if (query) onChange(query, 'json')
            }}
          />
          {problem === null ? null : (
            <span className="field-error" role="status">
              {problem}
            </span>
          )}
        </label>
      </details>
      <details className="disclosure">
        <summary>The same through the API</summary>
        <pre className="code" tabIndex={0}>
          <code>{call}</code>
        </pre>
        <CopyButton text={call} what="the call" />
      </details>
    </>
  )
}

function parse(text: string): JsonObject | null {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : null
  } catch {
    return null
  }
}

/** Why a text is no query; null if it can be one. */
function findQueryProblem(text: string): string | null {
  try {
    return isObject(JSON.parse(text)) ? null : 'A question is an object: { … }'
  } catch (error) {
    return error instanceof Error ? `Not valid JSON: ${error.message}` : 'Not valid JSON.'
  }
}

/** The API request of the query: in the URL if short, else in a body. */
function formatCurlCommand({ dataTypeId, sourceId, query }: Draft, placeId: string, origin: string): string {
  const noun = sourceId === null ? `dataTypes/${dataTypeId}` : `sources/${sourceId}`
  const path = `${origin}/v1/places/${placeId}/${noun}/analytics`
  const options = queryText(query)
  if (path.length + options.length < 2000) return `curl '${path}?${options.replaceAll("'", '%27')}'`
  const body = JSON.stringify(query).replaceAll("'", "'\\''")
  return [
    `curl -X POST '${path}' \\`,
    `  -H 'x-http-method-override: GET' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}
