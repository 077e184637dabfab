import { CircleAlert, CircleCheck, Upload as UploadIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, DropZone, FileTrigger, isFileDropItem } from 'react-aria-components'
import { sizeText, type Asset } from './asset.ts'
import { useUploads, type Upload } from './use-uploads.ts'

export interface UploadZoneProps {
  assetsId: string
  /** Where the files go; null: the top. */
  folderId: string | null
  /** Which types are offered; all without. */
  accept?: string[]
  isSmall?: boolean
  onSent(asset: Asset): void
  children?: ReactNode
}

/** Takes files that are dropped, pasted or chosen, and shows how far each is. What is around it takes drops as well. */
export function UploadZone({ assetsId, folderId, accept, isSmall, onSent, children }: UploadZoneProps) {
  const { uploads, add, clear } = useUploads({ assetsId, onSent })
  const isOver = uploads.some(({ state }) => state === 'done' || state === 'failed')
  return (
    <div className="upload needs-scripts">
      <DropZone
        className={isSmall ? 'dropzone is-small' : 'dropzone'}
        aria-label="Drop files here"
        onDrop={(event) => {
          const dropped = event.items.filter(isFileDropItem).map((item) => item.getFile())
          void Promise.all(dropped).then((files) => add(files, folderId))
        }}
      >
        <UploadIcon size={20} aria-hidden="true" />
        <p>{children ?? 'Drop files here, up to 100 MB each'}</p>
        <FileTrigger
          allowsMultiple
          {...(accept ? { acceptedFileTypes: accept } : {})}
          onSelect={(list) => list && add([...list], folderId)}
        >
          <Button className="button">Choose files</Button>
        </FileTrigger>
      </DropZone>
      {uploads.length ? (
        <div className="stack">
          <ul className="list" aria-label="Files on their way">
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
        {said(uploads)}
      </p>
    </div>
  )
}

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

/** Once all is over, what came of it: progress itself would talk all the time. */
function said(uploads: readonly Upload[]): string {
  if (!uploads.length || uploads.some(({ state }) => state === 'waiting' || state === 'sending')) return ''
  const failed = uploads.filter(({ state }) => state === 'failed').length
  return failed ? `${failed} of ${uploads.length} files failed.` : 'All files are sent.'
}
