import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ActionError } from '#app/components/form/form-error.tsx'
import type { Visibility } from '#app/components/list/badges.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { DashboardEditor } from './dashboard/dashboard-editor.tsx'
import { StoryEditor } from './story/story-editor.tsx'
import { VersionsView } from './story/versions-view.tsx'
import { pageAction } from './modify.server.ts'
import { editorScreen } from './page.server.ts'
import { versionsScreen } from './versions.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const isOfVersions = new URL(args.request.url).searchParams.has('version')
  return isOfVersions
    ? { editor: null, versions: await versionsScreen(args) }
    : { editor: await editorScreen(args), versions: null }
}

export const action = pageAction

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<Awaited<ReturnType<typeof loader>>>(({ editor, versions }) =>
  versions ? `Versions of ${versions.page.title}` : `Modify ${editor?.page.title}`,
)

/** The confirmation after publishing, by visibility. */
const published: Record<Visibility, string> = {
  public: 'Published for everyone.',
  place: 'Published for the people of your organization.',
  private: 'Published for you and admins only.',
}
const messages = {
  unpublish: 'Unpublished. The hub takes it away within seconds.',
  'version.restore': 'Restored. What the page said before is in the list.',
}
const saidOfDashboard = { unpublish: 'Unpublished.' }

/** The editor of a story, page or dashboard; with `?version=` an older version. */
export default function Modify() {
  const { editor, versions } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const screen = versions ?? editor
  const isDashboard = screen?.page.type === 'dashboard'
  // The page is not revalidated yet when the message is shown.
  const { visibility = 'public' } = (outcome?.ok ? outcome.result : {}) as { visibility?: Visibility }
  const publish = published[visibility]
  const readers = { publish, 'publish.leaveOut': publish, 'publish.makePublic': publish }
  useToast(outcome, { ...messages, ...readers, ...(isDashboard ? saidOfDashboard : {}) })
  const formValues = outcome && !outcome.ok ? outcome.formValues : undefined
  return (
    <div className={isDashboard ? 'page-full' : 'page-wide'}>
      <ActionError />
      {versions ? (
        <VersionsView
          {...versions}
          isRestored={Boolean(outcome?.ok && outcome.intent === 'version.restore')}
        />
      ) : editor ? (
        <Editing editor={editor} formValues={formValues} />
      ) : null}
    </div>
  )
}

type Screen = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['editor']>

function Editing({ editor, formValues }: { editor: Screen; formValues: Record<string, string> | undefined }) {
  const { page, modifyUrl: _modify, mayUpdate: _may, mayDelete: _delete, ...rest } = editor
  const Editor = page.type === 'dashboard' ? DashboardEditor : StoryEditor
  return (
    <Editor
      {...rest}
      key={page.id}
      page={page}
      readUrl={`/pages/${page.type}/${page.id}`}
      formValues={formValues}
    />
  )
}
