import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { requireManager } from './manage.server.ts'

/** The review of the organization's import; null if it was not imported. */
export async function findImportReview(args: LoaderFunctionArgs) {
  await requireManager(args, 'place.archive')
  try {
    const { review } = await load(args, { review: v1.place.importReview })
    return review
  } catch (error) {
    if (error instanceof Response && error.status === 404) return null
    throw error
  }
}

/** Previews switching on, switches on one thing or all of a kind, or dismisses the review. */
export function actOnImported(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, ({ noun, id }) => ({
    tryPublic: { endpoint: v1.place.trySwitchOn, data: () => ({ which: 'public' }) },
    tryActing: { endpoint: v1.place.trySwitchOn, data: () => ({ which: 'acting' }) },
    public: { endpoint: v1.place.switchOn, data: () => ({ which: 'public' }) },
    acting: { endpoint: v1.place.switchOn, data: () => ({ which: 'acting' }) },
    one: { endpoint: v1.place.switchOn, data: () => ({ items: [{ noun, id }] }) },
    finish: { endpoint: v1.place.finishImportReview, data: () => undefined },
  }))
}
