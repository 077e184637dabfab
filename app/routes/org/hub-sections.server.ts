import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { stepId } from '#app/components/insight/reorder.ts'
import { hubSections, type HubSection } from '#functions/shapes/hub-section.ts'

/** The intents that change the sections of a hub's home page, or their order. */
export const sectionIntents = [
  'arrange',
  'move.up',
  'move.down',
  'section.hide',
  'section.show',
  'section.reset',
] as const
export type SectionIntent = (typeof sectionIntents)[number]

/** A parsed request: its intent and form fields. */
export interface SectionRequest {
  intent: SectionIntent
  item: string
  order: string
}

/**
 * The sections after an action; null: the default. The submitted order may be outdated: shown sections that it lacks are appended, and
 * others in it are ignored.
 */
export function applySectionChange(
  sections: readonly HubSection[],
  { intent, item, order }: SectionRequest,
): HubSection[] | null {
  const section = hubSections.find((name) => name === item)
  switch (intent) {
    case 'section.reset':
      return null
    case 'section.hide':
      return sections.filter((name) => name !== section)
    case 'section.show':
      return section && !sections.includes(section) ? [...sections, section] : [...sections]
    case 'move.up':
    case 'move.down':
      return stepId(sections, item, intent === 'move.up' ? 'up' : 'down') as HubSection[]
    default: {
      const newOrder = [...new Set(order.split(','))]
      const orderedSections = newOrder.flatMap((name) => sections.find((each) => each === name) ?? [])
      return [...orderedSections, ...sections.filter((name) => !newOrder.includes(name))]
    }
  }
}

/** Parses a form about sections; null for other forms. */
export async function readSectionRequest({ request }: ActionFunctionArgs): Promise<SectionRequest | null> {
  const form = await request.clone().formData()
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const intent = sectionIntents.find((name) => name === text('intent'))
  return intent === undefined ? null : { intent, item: text('item'), order: text('order') }
}
