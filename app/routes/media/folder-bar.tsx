import { Form, Link } from '@remix-run/react'
import { Folder as FolderIcon, FolderPlus } from 'lucide-react'
import { folderOptions, type Folder } from '#app/components/media/asset.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { compareNames } from '#functions/shapes/compare-names.ts'

export interface FolderBarProps {
  folders: Folder[]
  /** The path from the top to the current folder. */
  trail: Folder[]
  folderId: string | null
  mayCreate: boolean
  mayUpdate: boolean
  mayDelete: boolean
}

/** The current folder, its subfolders, and its actions. */
export function FolderBar({ folders, trail, folderId, ...rights }: FolderBarProps) {
  const here = trail.at(-1)
  const inside = folders
    .filter(({ parentId }) => parentId === folderId)
    .sort((a, b) => compareNames(a.name, b.name))
  return (
    <section className="stack" aria-label="Folders">
      {here ? (
        <nav className="crumbs" aria-label="Folders above">
          <ol>
            <li>
              <Link to="/media-library">Media library</Link>
            </li>
            {trail.map(({ id, name }) => (
              <li key={id}>
                <Link to={`/media-library?folder=${id}`} aria-current={id === here.id ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      {inside.length || rights.mayCreate ? (
        <ul className="folders">
          {inside.map(({ id, name }) => (
            <li key={id}>
              <Link className="folder card" to={`/media-library?folder=${id}`}>
                <FolderIcon size={18} strokeWidth={1.5} aria-hidden="true" />
                <span className="truncate">{name}</span>
              </Link>
            </li>
          ))}
          {rights.mayCreate ? (
            <li>
              <details className="menu-details">
                <summary className="button is-quiet">
                  <FolderPlus size={16} aria-hidden="true" /> New folder
                </summary>
                <Form method="post" className="popover-form" preventScrollReset key={inside.length}>
                  <input type="hidden" name="parentId" value={folderId ?? ''} />
                  <input name="name" aria-label="Name of the folder" required maxLength={200} />
                  <button className="button is-primary" name="intent" value="folder.create">
                    Create
                  </button>
                </Form>
              </details>
            </li>
          ) : null}
          {here && rights.mayUpdate ? (
            <li>
              <Change folder={here} folders={folders} mayDelete={rights.mayDelete} />
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  )
}

/** Renames, moves or deletes the current folder. */
function Change({ folder, folders, mayDelete }: { folder: Folder; folders: Folder[]; mayDelete: boolean }) {
  return (
    <details className="menu-details">
      <summary className="button is-quiet">Change this folder</summary>
      <Form method="post" className="popover-form" preventScrollReset key={`${folder.id} ${folder.version}`}>
        <input type="hidden" name="id" value={folder.id} />
        <input type="hidden" name="version" value={folder.version} />
        <input type="hidden" name="parentNow" value={folder.parentId ?? ''} />
        <label className="field">
          <span className="field-label">Name</span>
          <input name="name" required maxLength={200} defaultValue={folder.name} />
        </label>
        <label className="field">
          <span className="field-label">Stands in</span>
          <select name="parentId" defaultValue={folder.parentId ?? ''}>
            <option value="">Media library</option>
            {folderOptions(folders, folder.id).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <div className="button-group">
          <button className="button is-primary" name="intent" value="folder.save">
            Save
          </button>
          {mayDelete ? (
            <ConfirmButton
              intent="folder.delete"
              question={`Delete the folder ${folder.name}?`}
              text="All folders and files in it are deleted with it. They cannot be brought back."
              answer="Delete all of it"
              className="button is-danger"
            >
              Delete
            </ConfirmButton>
          ) : null}
        </div>
      </Form>
    </details>
  )
}
