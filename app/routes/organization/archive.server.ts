import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { handleFormKeepingValues, textOrNull } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { buildPlaceCookie } from '#functions/shapes/place-cookie.ts'
import { v1 } from '#functions/v1/index.ts'

/** Whether the signed-in person may create an organization from an archive. */
export async function archiveScreen(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'signedIn')
  const { terms } = await load(args, { terms: v1.place.startTerms })
  return { mayStart: terms.may === 'start' || user.role === 'super_admin', userId: user.id }
}

/** Previews an import, or imports the archive and switches to the new organization. */
export async function actOnArchive(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  const idIn = (form: FormData) => {
    const id = textOrNull(form, 'id')
    return id === null ? {} : { id }
  }
  return handleFormKeepingValues(args, () => ({
    try: {
      endpoint: v1.place.tryArchive,
      data: (form: FormData) => {
        const fileId = form.get('fileId')
        // Without scripts the file comes in the form.
        return { ...idIn(form), ...(fileId === null ? { file: form.get('file') } : { fileId }) }
      },
    },
    import: {
      endpoint: v1.place.importArchive,
      data: (form: FormData) => ({ ...idIn(form), fileId: form.get('fileId') }),
      then: ({ place }: { place: { id: string } }) => {
        args.context.ctx.responseHeaders.append('set-cookie', buildPlaceCookie(place.id))
        return '/org/manage/imported'
      },
    },
  }))
}
