import { CircleAlert, CircleCheck, Upload as UploadIcon } from 'lucide-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { sizeText, type Asset } from './asset.ts'
import { useUploads, type Upload } from './use-uploads.ts'

interface UploadZoneProps {
  assetsId: string
  /** The target folder; null: the top. */
  folderId: string | null
  /** The accepted types; by default all. */
  accept?: string[]
  isSmall?: boolean
  onSent(asset: Asset): void
  children?: ReactNode
}

/**
 * Uploads files that are dropped, pasted or chosen, with their progress. Uses native events: drag and drop by react-aria would cost
 * every screen with an upload 20 kB, and the button is the keyboard alternative.
 */
export function UploadZone({ assetsId, folderId, accept, isSmall, onSent, children }: UploadZoneProps) {
  const { uploads, add, clear } = useUploads({ assetsId, onSent })
  const [isTarget, setTarget] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isOver = uploads.some(({ state }) => state === 'done' || state === 'failed')
  return (
    <div className="upload needs-scripts">
      <div
        className={isSmall ? 'dropzone is-small' : 'dropzone'}
        role="group"
        aria-label="Drop files here"
        data-drop-target={isTarget || undefined}
        onDragOver={(event) => {
          if (!holdsFiles(event)) return
          event.preventDefault()
          setTarget(true)
        }}
        onDragLeave={() => setTarget(false)}
        onDrop={(event) => {
          if (!holdsFiles(event)) return
          event.preventDefault()
          setTarget(false)
          add([...event.dataTransfer.files], folderId)
        }}
        onPaste={({ clipboardData }) => clipboardData.files.length && add([...clipboardData.files], folderId)}
      >
        <UploadIcon size={20} aria-hidden="true" />
        <p>{children ?? 'Drop files here, up to 100 MB each'}</p>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          {...(accept ? { accept: accept.join() } : {})}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])], folderId)
            // So that the same file can be chosen again.
            currentTarget.value = ''
          }}
        />
        <button type="button" className="button" onClick={() => input.current?.click()}>
          Choose files
        </button>
      </div>
      {uploads.length ? (
        <div className="stack">
          <ul className="list" aria-label="Uploading files">
            {uploads.map((upload) => (
              <Row key={upload.id} upload={upload} />
            ))}
          </ul>
          {isOver ? (
            <p>
              <button type="button" className="button is-small is-quiet" onClick={clear}>
                Clear the list
              </button>
            </p>
          ) : null}
        </div>
      ) : null}
      <p className="sr-only" role="status">
        {describeUploads(uploads)}
      </p>
    </div>
  )
}

/** Dragged text is ignored. */
const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

function Row({ upload }: { upload: Upload }) {
  const { name, size, state, share, message } = upload
  return (
    <li className="list-item">
      <div className="list-main">
        <p className="list-title truncate">{name}</p>
        {state === 'failed' ? (
          <p className="field-error">{message}</p>
        ) : (
          <progress className="progress" value={share} max={1} aria-label={`How much of ${name} is sent`} />
        )}
      </div>
      <div className="list-meta row">
        {state === 'done' ? <CircleCheck size={16} aria-label="Sent" /> : null}
        {state === 'failed' ? <CircleAlert size={16} aria-label="Failed" /> : null}
        {state === 'sending' ? `${Math.floor(share * 100)} %` : state === 'waiting' ? 'Waits' : null}
        <span>{sizeText(size)}</span>
      </div>
    </li>
  )
}

/** A summary once all uploads have ended; announcing progress would be too verbose. */
function describeUploads(uploads: readonly Upload[]): string {
  if (!uploads.length || uploads.some(({ state }) => state === 'waiting' || state === 'sending')) return ''
  const failures = uploads.filter(({ state }) => state === 'failed').length
  return failures ? `${failures} of ${uploads.length} files failed.` : 'All files are sent.'
}
