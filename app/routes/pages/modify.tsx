import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData, type ShouldRevalidateFunction } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { DashboardEditor } from '#app/components/dashboard/dashboard-editor.tsx'
import { StoryEditor } from '#app/components/story/story-editor.tsx'
import { pageAction } from '#app/server/page-action.server.ts'
import { editorScreen } from '#app/server/page-screen.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return editorScreen(args)
}

export function action(args: ActionFunctionArgs) {
  return pageAction(args)
}

/** Who may not any more would be led away from words that are not saved. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus !== 403 && actionStatus !== 404 && defaultShouldRevalidate

export const meta = placeTitle<{ page: { title: string } }>(({ page }) => `Modify ${page.title}`)

const done = {
  publish: 'Published. The hub shows it within seconds.',
  unpublish: 'Unpublished. The hub takes it away within seconds.',
}
const doneOfDashboard = { publish: 'Published.', unpublish: 'Unpublished.' }

/** Writes a story or a page, or arranges a dashboard. */
export default function Modify() {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { page, modifyUrl: _modify, mayUpdate: _may, mayDelete: _delete, ...rest } = screen
  useToast(outcome, page.type === 'dashboard' ? doneOfDashboard : done)
  const Editor = page.type === 'dashboard' ? DashboardEditor : StoryEditor
  return (
    <div className={page.type === 'dashboard' ? 'page-full' : 'page-wide'}>
      <FormError refused={refusalIn(outcome)} names={[]} />
      <Editor
        {...rest}
        key={page.id}
        page={page}
        readUrl={`/pages/${page.type}/${page.id}`}
        given={outcome && !outcome.ok ? outcome.given : undefined}
      />
    </div>
  )
}
