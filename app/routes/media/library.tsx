import {
  Link,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigate,
  useRevalidator,
} from '@remix-run/react'
import { LayoutGrid, List } from 'lucide-react'
import { Files } from './files.tsx'
import { mediaAction } from './action.server.ts'
import { useToast } from '#app/client/use-toast.ts'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { Pager } from '#app/components/list/pager.tsx'
import { mediaKindNames } from '#app/components/media/asset.ts'
import { FileDialog } from './file-dialog.tsx'
import { FilePage } from './file-page.tsx'
import { FolderBar } from './folder-bar.tsx'
import { UploadZone } from '#app/components/media/upload-zone.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { mediaSorts, withParam } from './address.ts'
import { mediaScreen } from './library.server.ts'

export const loader = mediaScreen

export const action = mediaAction

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/kept/keep-typed.ts'

export const meta = placeTitle('Media library')

const done = {
  'folder.create': 'The folder is there.',
  'folder.save': 'The folder is changed.',
  'folder.delete': 'The folder is deleted.',
  save: 'The file is changed.',
  delete: 'Deleted.',
  move: 'Moved.',
}
const kinds = Object.entries(mediaKindNames).map(([value, label]) => ({ value, label }))

export default function Library() {
  const screen = useLoaderData<typeof loader>()
  const { query, view, placeId, folders, folderId, trail, files, file, mayCreate, mayUpdate, mayDelete } =
    screen
  const outcome = useActionData<typeof action>()
  const { search } = useLocation()
  const { revalidate } = useRevalidator()
  useToast(outcome, done)
  const refused = refusalIn(outcome)
  const isOfFile = file !== null && outcome?.ok === false && outcome.formValues.intent === 'save'
  const isNarrowed = query.search !== '' || screen.kind !== ''
  return (
    <div className="page-wide">
      <PageHead
        title="Media library"
        sub="Pictures and files for pages and for the organization. Whoever has the address of a file can read it."
      />
      {isOfFile ? null : <FormError refused={refused} names={[]} />}
      {file ? <OpenFile file={file} /> : null}
      {query.search ? null : (
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
          isSmall={files.meta.total > 0}
          onSent={() => revalidate()}
        />
      ) : null}
      <ListBar
        query={query}
        sorts={mediaSorts}
        searchLabel="Search files"
        filters={[{ name: 'kind', label: 'Kind', options: kinds }]}
        end={
          <span className="button-group" role="group" aria-label="View">
            {view === 'grid' ? null : <input type="hidden" name="view" value={view} />}
            {folderId ? <input type="hidden" name="folder" value={folderId} /> : null}
            <ViewLink view="grid" current={view} search={search} />
            <ViewLink view="list" current={view} search={search} />
          </span>
        }
      />
      {files.results.length ? (
        <Files
          key={`${folderId ?? ''} ${query.page} ${query.search}`}
          files={files.results}
          folders={folders}
          view={view}
          mayUpdate={mayUpdate}
          mayDelete={mayDelete}
          fileTo={(id) => withParam(search, 'file', id)}
        />
      ) : (
        <NoFiles isNarrowed={isNarrowed} folderId={folderId} />
      )}
      <Pager query={query} shown={files.results.length} total={files.meta.total} noun="files" />
    </div>
  )
}

interface OpenFileProps {
  file: NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['file']>
}

/** The file that the address names, over the list. */
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

function NoFiles({ isNarrowed, folderId }: { isNarrowed: boolean; folderId: string | null }) {
  return (
    <EmptyState
      title={isNarrowed ? 'No results!' : folderId ? 'Nothing is in this folder yet' : 'No files yet'}
      text={
        isNarrowed
          ? 'No file fits what you are looking for.'
          : 'Pictures for stories, logos, documents to download: whatever your pages show.'
      }
      action={
        isNarrowed ? (
          <Link className="button" to="/media-library">
            Show everything
          </Link>
        ) : null
      }
    />
  )
}

function ViewLink({ view, current, search }: { view: 'grid' | 'list'; current: string; search: string }) {
  const Icon = view === 'grid' ? LayoutGrid : List
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
