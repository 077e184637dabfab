import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'

/** The most alerts that are marked as read at once. */
const mostRead = 100

/** What the forms of an observer's page ask for: its alerts read or gone, its webhooks sent again. */
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
    // The first by the form's own action, which looks at where the form comes from; the others follow it.
    read: { endpoint: v1.place.observer.alert.findById, params: { alertId: ids[0] ?? '' } },
    deleteAlert: {
      endpoint: v1.place.observer.alert.deleteById,
      params: { alertId },
      then: () => `/types/${dataTypeId}/observers/${observerId}`,
    },
  }))
  if (outcome.ok && outcome.intent === 'read') {
    guard(args, 'withPlace')
    for (const alertId of ids.slice(1))
      await load(args, { alert: { endpoint: v1.place.observer.alert.findById, params: { alertId } } })
  }
  return outcome
}
