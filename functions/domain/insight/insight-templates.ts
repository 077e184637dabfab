import { measurements } from './templates/measurements.ts'
import { money } from './templates/money.ts'
import { schemas } from './templates/parts.ts'
import { requests } from './templates/requests.ts'
import type { InsightTemplates } from '#functions/shapes/insight.ts'

/**
 * Predefined queries by category of data type, common ones first. `fields` are placeholders that are replaced by fields
 * of an actual data type.
 */
export async function insightTemplates(): Promise<InsightTemplates> {
  return [...requests, ...measurements, ...money].map((template) => {
    const text = JSON.stringify(template.query)
    const all = Object.entries(schemas[template.category] ?? {})
    const fields = all.filter(([key]) => text.includes(`"data.${key}"`))
    return { ...template, fields: Object.fromEntries(fields) }
  })
}
