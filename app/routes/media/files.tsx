import { Form } from '@remix-run/react'
import { useState } from 'react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { folderOptions, type Asset, type Folder } from '#app/components/media/asset.ts'
import { FileTile } from './file-tile.tsx'

export interface FilesProps {
  files: Asset[]
  folders: Folder[]
  view: string
  mayUpdate: boolean
  mayDelete: boolean
  fileTo(id: string): string
}

/** The files of a folder, with a selection for moving or deleting. A single form, so it works without scripts. */
export function Files({ files, folders, view, mayUpdate, mayDelete, fileTo }: FilesProps) {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const here = files.filter(({ id }) => selectedIds.has(id)).length
  const mayChoose = mayUpdate || mayDelete
  const isAll = here === files.length
  return (
    <Form method="post" className="stack" preventScrollReset onSubmit={() => setSelectedIds(new Set())}>
      {mayChoose ? (
        <div className="media-tools" role="group" aria-label="The chosen files">
          <button
            type="button"
            className="button is-small is-quiet needs-scripts"
            onClick={() => setSelectedIds(new Set(isAll ? [] : files.map(({ id }) => id)))}
          >
            {isAll ? 'Choose none' : 'Choose all'}
          </button>
          <span className="muted num" role="status">
            {here ? `${here} chosen` : ''}
          </span>
          <span className="media-do" data-idle={here === 0 || undefined}>
            {mayUpdate ? (
              <>
                <select name="to" aria-label="Move to">
                  <option value="">Media library</option>
                  {folderOptions(folders).map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
                <button className="button is-small" name="intent" value="move">
                  Move
                </button>
              </>
            ) : null}
            {mayDelete ? (
              <ConfirmButton
                intent="delete"
                question={here === 1 ? 'Delete this file?' : `Delete ${here} files?`}
                text="Pages that show them lose them. They cannot be brought back."
                answer="Delete"
              >
                Delete
              </ConfirmButton>
            ) : null}
          </span>
        </div>
      ) : null}
      <ul className={view === 'grid' ? 'media-grid' : 'list media-list'}>
        {files.map((asset) => (
          <FileTile
            key={asset.id}
            asset={asset}
            view={view}
            to={fileTo(asset.id)}
            mayChoose={mayChoose}
            isChosen={selectedIds.has(asset.id)}
            onChoose={(id, isOn) =>
              setSelectedIds(
                (current) => new Set([...current].filter((each) => each !== id).concat(isOn ? id : [])),
              )
            }
          />
        ))}
      </ul>
    </Form>
  )
}
