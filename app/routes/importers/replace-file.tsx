import { Form, Link } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import type { FileChange } from './replace.server.ts'
import { UploadForm } from './upload-form.tsx'
import { useUpload } from './use-upload.ts'

interface ReplaceFileProps {
  sourceId: string
  /** The path of the importer. */
  at: string
  /** The effects of an uploaded file; null without one. */
  change: FileChange | null
  version: number
  isRunning: boolean
}

/** Replaces the file of an importer: its settings, path and runs stay. */
export function ReplaceFile({ sourceId, at, change, version, isRunning }: ReplaceFileProps) {
  const upload = useUpload(sourceId, at)
  if (change) return <Change {...{ change, at, version, isRunning }} />
  return (
    <details className="disclosure">
      <summary>Replace this file</summary>
      <div className="stack">
        <p className="muted">
          Its columns are compared first, then all rows. Records change only when you bring them in; the
          source, its address and its history stay.
        </p>
        <UploadForm title="Drop the new file here, or choose one" hint="Up to 100 MB." upload={upload} />
      </div>
    </details>
  )
}

/** The effects of the new file, before it is applied. */
function Change({
  change,
  at,
  version,
  isRunning,
}: Omit<ReplaceFileProps, 'sourceId' | 'change'> & { change: FileChange }) {
  const { name, error, missing, newPaths, rows, badRows, isCompared, source } = change
  const isSame = missing.length + newPaths.length === 0
  const canRead = rows > 0
  return (
    <section className="card" aria-labelledby="replace">
      <div className="card-body stack">
        <h3 id="replace">Read {name} from now on?</h3>
        {error ? (
          <p className="notice is-danger" role="alert">
            {error}
          </p>
        ) : null}
        {canRead && isSame ? <p>It has the same columns.</p> : null}
        {canRead && !isCompared ? (
          <p className="notice">
            The file before is gone or cannot be read: its columns are known only as far as fields are made of
            them.
          </p>
        ) : null}
        {canRead && missing.length ? (
          <div className="notice is-warning">
            <p>{missing.length === 1 ? 'A column is missing:' : `${missing.length} columns are missing:`}</p>
            <ul>
              {missing.map(({ path, fields }) => (
                <li key={path}>
                  <code>{path}</code>
                  {fields.length ? `, of which ${fields.join(', ')} is made` : ''}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {canRead && newPaths.length ? (
          <p>
            {newPaths.length === 1 ? 'A column is new: ' : `${newPaths.length} columns are new: `}
            {newPaths.map((path, i) => (
              <span key={path}>
                {i ? ', ' : ''}
                <code>{path}</code>
              </span>
            ))}
            . No field is made of {newPaths.length === 1 ? 'it' : 'them'} yet.
          </p>
        ) : null}
        {badRows > 0 ? (
          <p className="notice is-warning">
            {badRows} of the first {rows} rows would be refused.
          </p>
        ) : null}
        <Form method="post" className="button-group">
          <input type="hidden" name="readSource" value={JSON.stringify(source)} />
          <input type="hidden" name="version" value={version} />
          {canRead && !isRunning ? (
            <SubmitButton intent="replaceFile" doing="Starting…">
              Read it and check all rows
            </SubmitButton>
          ) : null}
          <Link className="button" to={at}>
            Keep the file before
          </Link>
        </Form>
        {isRunning ? <p className="muted">A run goes on: wait until it has ended.</p> : null}
      </div>
    </section>
  )
}
