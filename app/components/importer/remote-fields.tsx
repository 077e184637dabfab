import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { TextArea, TextField } from '../form/field.tsx'
import { issueAt, type FormErrors } from '../form/issues.ts'
import { useErrorFocus } from '../form/use-error-focus.ts'
import { PageFields } from './page-fields.tsx'
import { RemoteReading } from './remote-reading.tsx'
import {
  emptySource,
  chooseUnusedIds,
  hasRequest,
  sourceInput,
  uploadedName,
  type ShownSource,
  type UploadedFile,
} from './remote-source.ts'
import { RequestRows } from './request-rows.tsx'
import { SignInFields } from './sign-in-fields.tsx'

interface RemoteFieldsProps {
  /** The initial values. */
  sources: ShownSource[]
  /** The uploaded files that they read: shown by name instead of by address. */
  files?: readonly UploadedFile[] | undefined
  errors: FormErrors | undefined
  /** Called when a source or row is added or removed, which fires no input event. */
  onChange?(): void
  /** Whether the request options are open even if empty. */
  isOpen?: boolean
}

const nothing = () => {}

/** The sources of an importer: each with its request and reading options. */
export function RemoteFields({
  sources: start,
  files,
  errors,
  onChange = nothing,
  isOpen,
}: RemoteFieldsProps) {
  const [sources, setSources] = useState(start)
  const [spare = ''] = chooseUnusedIds(start, 1)
  const [next, setNext] = useState(Number(spare))
  const add = useRef<HTMLButtonElement>(null)
  const all = useRef<HTMLDivElement>(null)
  useErrorFocus(all, errors)
  return (
    <div className="remote" role="group" aria-label="Sources" ref={all}>
      {sources.map((source, i) => (
        <RemoteSource
          key={source.id}
          {...{ source, files, errors, onChange, isOpen }}
          number={i + 1}
          isNew={Number(source.id) >= Number(spare)}
          onRemove={
            sources.length > 1
              ? () => {
                  setSources(sources.filter((each) => each !== source))
                  onChange()
                  add.current?.focus()
                }
              : undefined
          }
        />
      ))}
      <noscript>
        <RemoteSource
          source={emptySource(spare)}
          number={start.length + 1}
          isUnscripted
          {...{ errors, onChange }}
        />
      </noscript>
      <p className="needs-scripts">
        <button
          type="button"
          className="button"
          ref={add}
          onClick={() => {
            setSources([...sources, emptySource(String(next))])
            setNext(next + 1)
            onChange()
          }}
        >
          <Plus size={16} aria-hidden="true" /> Add a source
        </button>
      </p>
    </div>
  )
}

interface RemoteSourceProps {
  source: ShownSource
  files?: readonly UploadedFile[] | undefined
  number: number
  errors: FormErrors | undefined
  isNew?: boolean
  isOpen?: boolean | undefined
  isUnscripted?: boolean
  onChange(): void
  onRemove?: (() => void) | undefined
}

function RemoteSource({ number, isNew, onRemove, ...part }: RemoteSourceProps) {
  const { source, errors } = part
  const { id, json } = source
  return (
    <fieldset className="fieldset">
      <legend>Source {number}</legend>
      <input type="hidden" name="source" value={id} />
      {json === null ? (
        <>
          {isFile(source) ? (
            <FileOfSource {...part} />
          ) : (
            <TextField
              label="Web address"
              name={sourceInput(id, 'url')}
              inputMode="url"
              placeholder="https://"
              defaultValue={source.url}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={4000}
              autoFocus={isNew}
              hint="{date} becomes the day of the run. A key in it is taken out and kept secret."
              errors={errors}
            />
          )}
          <RemoteReading source={source} errors={errors} />
          {isFile(source) && !hasRequest(source) ? null : <Request {...part} />}
        </>
      ) : (
        <TextArea
          label="As JSON"
          name={sourceInput(id, 'json')}
          className="code"
          data-never-kept=""
          rows={8}
          spellCheck={false}
          defaultValue={json}
          hint="It says what inputs cannot. { secret: true } stands for what is kept secret; { secret: '…' } puts another in its place."
          errors={errors}
        />
      )}
      {onRemove ? (
        <p className="needs-scripts">
          <button type="button" className="button is-small" onClick={onRemove}>
            Remove source {number}
          </button>
        </p>
      ) : null}
    </fieldset>
  )
}

/** The uploaded file of a source, by its name: its address is an id that says nothing. */
function FileOfSource({ source, files, errors }: Pick<RemoteSourceProps, 'source' | 'files' | 'errors'>) {
  const name = sourceInput(source.id, 'url')
  const error = issueAt(errors, name)
  return (
    <div className="field">
      <span className="field-label">File</span>
      <p className="field-hint">
        It was uploaded to this source. On the screen of the importer another one can take its place.
      </p>
      <span className="anywhere">{uploadedName(source.url, files)}</span>
      <input type="hidden" name={name} value={source.url} />
      {error ? <p className="field-error">{error}</p> : null}
    </div>
  )
}

const isFile = ({ url }: ShownSource) => /^file:/i.test(url)

/** The request options. Closed if there are none and no errors. */
function Request({
  isOpen,
  ...part
}: Pick<RemoteSourceProps, 'source' | 'errors' | 'isOpen' | 'isUnscripted' | 'onChange'>) {
  const { source, errors } = part
  const { id } = source
  const parts = ['headers', 'query', 'oauth', 'pagination'].map((name) => sourceInput(id, name))
  const isRefused = errors?.issues.some(({ path }) => {
    const name = path.join('.')
    return parts.some((part) => name === part || name.startsWith(`${part}.`))
  })
  return (
    <details className="disclosure" open={isOpen || hasRequest(source) || isRefused}>
      <summary>Headers, parameters, sign-in, pages</summary>
      <div className="request">
        <RequestRows list="headers" {...part} />
        <RequestRows list="query" {...part} />
        <SignInFields {...part} />
        <PageFields source={source} errors={errors} />
      </div>
    </details>
  )
}
