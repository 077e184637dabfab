import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { actKeeping } from '#app/server/keeping.server.ts'

/** The most alerts that are marked as read at once. */
const mostRead = 100

/** What the forms of an observer's page ask for: its alerts read or gone, its webhooks sent again. Nothing to read is nothing to refuse. */
export async function observerAction(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const { dataTypeId = '', observerId = '' } = args.params
  const ids = String(form.get('unread') ?? '')
    .split(',')
    .filter(Boolean)
    .slice(0, mostRead)
  const outcome = await actKeeping(args, ({ alertId = '', webhookId = '' }) => ({
    resend: { endpoint: v1.place.observer.delivery.resend, data: () => ({ ids: [webhookId] }) },
    resendAll: { endpoint: v1.place.observer.delivery.resend, data: () => ({}) },
    // Each by itself: one that somebody put away since the screen was opened keeps none from being read.
    read: {
      endpoint: v1.place.observer.alert.findById,
      each: ids.map((alertId) => ({ params: { alertId }, data: undefined })),
      goesOn: true as const,
    },
    deleteAlert: {
      endpoint: v1.place.observer.alert.deleteById,
      params: { alertId },
      then: () => `/types/${dataTypeId}/observers/${observerId}`,
    },
  }))
  if (!outcome.ok || outcome.intent !== 'read') return outcome
  const [refused] = outcome.result.flatMap((each) => (each.ok ? [] : [each.message]))
  if (refused === undefined || outcome.result.some(({ ok }) => ok)) return outcome
  return { ok: false as const, intent: 'read', message: refused, status: 409, issues: [] }
}
