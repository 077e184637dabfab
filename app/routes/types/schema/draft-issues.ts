import { cleanDataType, validateDataType } from '#functions/shapes/fields/document.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { messageWords } from '#app/components/form/message-words.ts'
import { toTypeDocument, type FieldDraft, type TypeDraft } from '#app/components/schema/draft.ts'

/**
 * Returns the issues of a draft ([] if it can be saved): those of the server's validation, and those that a
 * document cannot have: fields without a key, and duplicate keys.
 */
export function draftIssues(draft: TypeDraft): Issue[] {
  const keys = keyIssues(draft.fields, ['schema'])
  const document = validateDataType(cleanDataType({ ...toTypeDocument(draft) }), 'schema')
  const keyIssuePaths = new Set(keys.map(({ path }) => path.join('.')))
  const others = document.filter(({ path }) => !keyIssuePaths.has(path.join('.')))
  return [...keys, ...others].map((issue) => ({ ...issue, message: messageWords(issue.message) }))
}

function keyIssues(fields: FieldDraft[], path: string[]): Issue[] {
  const usedKeys = new Set<string>()
  return fields.flatMap((field): Issue[] => {
    const at = [...path, field.key]
    const isTwice = usedKeys.has(field.key)
    usedKeys.add(field.key)
    const own: Issue[] =
      field.key === ''
        ? [{ path: [...at, 'key'], value: '', message: 'This field is required' }]
        : isTwice
          ? [{ path: [...at, 'key'], value: field.key, message: 'Another field has this key already.' }]
          : []
    return [...own, ...innerIssues(field, at)]
  })
}

function innerIssues(field: FieldDraft, at: string[]): Issue[] {
  if (field.type === 'array' && field.items) return innerIssues(field.items, [...at, 'items'])
  return field.type === 'object' ? keyIssues(field.fields, [...at, 'schema']) : []
}
