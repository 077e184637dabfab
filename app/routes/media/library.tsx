import { Link, useLoaderData, useLocation, useNavigate, useRevalidator } from '@remix-run/react'
import { LayoutGrid, List as Rows } from 'lucide-react'
import { Files } from './files.tsx'
import { mediaAction } from './action.server.ts'
import { ActionError } from '#app/components/form/form-error.tsx'
import { List } from '#app/components/list/list.tsx'
import { FileDialog } from './file-dialog.tsx'
import { FilePage } from './file-page.tsx'
import { FolderBar } from './folder-bar.tsx'
import { UploadZone } from '#app/components/media/upload-zone.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { mediaOffer, withParam } from './address.ts'
import { mediaScreen } from './library.server.ts'

export const loader = mediaScreen

export const action = mediaAction

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Media library')

const done = {
  'folder.create': 'The folder is there.',
  'folder.save': 'The folder is changed.',
  'folder.delete': 'The folder is deleted.',
  save: 'The file is changed.',
  delete: 'Deleted.',
  move: 'Moved.',
}

export default function Library() {
  const { list, view, placeId, folders, folderId, trail, files, file, ...rights } =
    useLoaderData<typeof loader>()
  const { mayCreate, mayUpdate, mayDelete } = rights
  const { search } = useLocation()
  const { revalidate } = useRevalidator()
  return (
    <Screen
      title="Media library"
      sub="Pictures and files for pages and for the organization. Whoever has the address of a file can read it."
      done={done}
    >
      <ActionError besides={file ? ['save'] : []} />
      {file ? <OpenFile file={file} /> : null}
      {list.query.search ? null : (
        <FolderBar
          folders={folders}
          trail={trail}
          folderId={folderId}
          mayCreate={mayCreate}
          mayUpdate={mayUpdate}
          mayDelete={mayDelete}
        />
      )}
      {mayCreate ? (
        <UploadZone
          assetsId={placeId}
          folderId={folderId}
          isSmall={list.total > 0}
          onSent={() => revalidate()}
        />
      ) : null}
      <List
        offer={mediaOffer}
        list={list}
        noun="files"
        visibleCount={files.length}
        noResults={{ all: 'Show everything' }}
        empty={{
          title: folderId ? 'Nothing is in this folder yet' : 'No files yet',
          text: 'Pictures for stories, logos, documents to download: whatever your pages show.',
        }}
        end={
          <span className="button-group" role="group" aria-label="View">
            {view === 'grid' ? null : <input type="hidden" name="view" value={view} />}
            {folderId ? <input type="hidden" name="folder" value={folderId} /> : null}
            <ViewLink view="grid" current={view} search={search} />
            <ViewLink view="list" current={view} search={search} />
          </span>
        }
      >
        <Files
          key={`${folderId ?? ''} ${list.query.page} ${list.query.search}`}
          files={files}
          folders={folders}
          view={view}
          mayUpdate={mayUpdate}
          mayDelete={mayDelete}
          fileTo={(id) => withParam(search, 'file', id)}
        />
      </List>
    </Screen>
  )
}

interface OpenFileProps {
  file: NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['file']>
}

/** The file in the URL, over the list. */
function OpenFile({ file }: OpenFileProps) {
  const { folders, mayUpdate, mayDelete } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const navigate = useNavigate()
  return (
    <FileDialog
      name={file.asset.name}
      onClose={() => void navigate(withParam(search, 'file', null), { preventScrollReset: true })}
    >
      <FilePage
        key={`${file.asset.id} ${file.asset.version}`}
        asset={file.asset}
        uses={file.uses}
        folders={folders}
        mayUpdate={mayUpdate}
        mayDelete={mayDelete}
      />
    </FileDialog>
  )
}

function ViewLink({ view, current, search }: { view: 'grid' | 'list'; current: string; search: string }) {
  const Icon = view === 'grid' ? LayoutGrid : Rows
  return (
    <Link
      className="button is-icon is-small"
      to={withParam(search, 'view', view)}
      aria-label={view === 'grid' ? 'As a grid' : 'As a list'}
      aria-current={view === current || undefined}
      preventScrollReset
    >
      <Icon size={16} aria-hidden="true" />
    </Link>
  )
}
