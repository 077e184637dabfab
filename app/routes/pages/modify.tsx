import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { positionIn, settingsFrom } from '#app/components/story/settings.ts'
import { StoryEditor } from '#app/components/story/story-editor.tsx'
import { actKeeping, versionIn } from '#app/server/keeping.server.ts'
import { editorScreen } from '#app/server/page-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

export function loader(args: LoaderFunctionArgs) {
  return editorScreen(args)
}

/** What the editor does: to the page, and to its contents. Each is one call, with the version it was written from. */
export function action(args: ActionFunctionArgs) {
  const { page } = v1.place
  return actKeeping(args, (given) => {
    const params = { contentId: given.contentId ?? '' }
    const settings = settingsFrom(given.kind ?? '', given)
    const position = positionIn(given)
    return {
      'page.save': {
        endpoint: page.updateById,
        data: (form) => ({ title: given.title, description: given.description, version: versionIn(form) }),
      },
      publish: {
        endpoint: page.updateById,
        data: (form) => ({ publish: 'published', visibility: 'public', version: versionIn(form) }),
      },
      unpublish: {
        endpoint: page.updateById,
        data: (form) => ({ publish: 'draft', version: versionIn(form) }),
      },
      'content.save': {
        endpoint: page.content.updateById,
        params,
        data: (form) => ({ settings, version: versionIn(form) }),
      },
      'content.add': {
        endpoint: page.content.create,
        data: () => ({ kind: given.kind, settings, position }),
      },
      'content.move': { endpoint: page.content.updateById, params, data: () => ({ position }) },
      'content.remove': { endpoint: page.content.deleteById, params },
    }
  })
}

export const meta = placeTitle<{ page: { title: string } }>(({ page }) => `Modify ${page.title}`)

const done = {
  publish: 'Published. The hub shows it within seconds.',
  unpublish: 'Unpublished. The hub takes it away within seconds.',
}

export default function Modify() {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { page, modifyUrl: _modify, mayUpdate: _may, ...rest } = screen
  useToast(outcome, done)
  return (
    <div className="page-wide">
      <FormError refused={refusalIn(outcome)} names={[]} />
      <StoryEditor
        {...rest}
        key={page.id}
        page={page}
        readUrl={`/pages/${page.type}/${page.id}`}
        given={outcome && !outcome.ok ? outcome.given : undefined}
      />
    </div>
  )
}
