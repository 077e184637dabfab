import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { stepId } from '#app/components/insight/arrange.ts'
import { hubSections, type HubSection } from '#functions/shapes/hub-section.ts'

/** The intents that change which sections the first page of a hub shows, or their order. */
export const sectionIntents = [
  'arrange',
  'move.up',
  'move.down',
  'section.hide',
  'section.show',
  'section.reset',
] as const
export type SectionIntent = (typeof sectionIntents)[number]

/** What an action on the sections asks for: its intent and the fields of its form. */
export interface SectionRequest {
  intent: SectionIntent
  item: string
  order: string
}

/**
 * The sections as they are wanted after an action; null: as the product has them. What an order does not name of what is
 * shown stays behind it, since the order may be older than what is shown; what it names beyond that is left out.
 */
export function changedSections(
  shown: readonly HubSection[],
  { intent, item, order }: SectionRequest,
): HubSection[] | null {
  const section = hubSections.find((name) => name === item)
  switch (intent) {
    case 'section.reset':
      return null
    case 'section.hide':
      return shown.filter((name) => name !== section)
    case 'section.show':
      return section && !shown.includes(section) ? [...shown, section] : [...shown]
    case 'move.up':
    case 'move.down':
      return stepId(shown, item, intent === 'move.up' ? 'up' : 'down') as HubSection[]
    default: {
      const wanted = [...new Set(order.split(','))]
      const named = wanted.flatMap((name) => shown.find((each) => each === name) ?? [])
      return [...named, ...shown.filter((name) => !wanted.includes(name))]
    }
  }
}

/** What the form of an action on the sections says; null: it is about something else. */
export async function readSectionRequest({ request }: ActionFunctionArgs): Promise<SectionRequest | null> {
  const form = await request.clone().formData()
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const intent = sectionIntents.find((name) => name === text('intent'))
  return intent === undefined ? null : { intent, item: text('item'), order: text('order') }
}
