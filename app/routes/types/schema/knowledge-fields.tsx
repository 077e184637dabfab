import { useState } from 'react'
import { SetField } from '#app/components/query/set-field.tsx'
import { CheckField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { missingLines, nameLines, valuesIn } from '#app/components/schema/code-lines.ts'
import { isCodable, isNaming, type FieldDraft } from '#app/components/schema/draft.ts'

export interface KnowledgeFieldsProps {
  field: FieldDraft
  /** The path of the field, joined with dots. */
  at: string
  errors: FormErrors
  onChange(field: FieldDraft): void
}

/**
 * Inputs for the metadata of a field's values: unit, whether they are identifiers or additive, regions, and
 * the meaning of codes.
 */
export function KnowledgeFields({ field, at, errors, onChange }: KnowledgeFieldsProps) {
  const shared = { form: '', errors }
  const isNumber = field.type === 'number'
  if (!isCodable(field.type)) return null
  return (
    <fieldset className="fieldset">
      <legend>What its values are</legend>
      {isNumber && !field.measurement ? (
        <TextField
          {...shared}
          label="Unit"
          name={`${at}.unit`}
          hint="Where it measures nothing of the list above: such as kg, dB or people per km². Charts and tables show it."
          maxLength={40}
          value={field.unit}
          onChange={(event) => onChange({ ...field, unit: event.target.value })}
        />
      ) : null}
      {isNaming(field.type) ? (
        <CheckField
          {...shared}
          label="They name things"
          name={`${at}.identifier`}
          hint="Ids, numbers of permits, zip codes: no chart that is proposed adds them up or averages them."
          checked={field.isIdentifier}
          onChange={(event) => onChange({ ...field, isIdentifier: event.target.checked })}
        />
      ) : null}
      {isNumber && !field.isIdentifier ? (
        <CheckField
          {...shared}
          label="They may be added up"
          name={`${at}.additive`}
          hint="As numbers of trips may; temperatures, shares and populations of several years may not."
          checked={field.isAdditive}
          onChange={(event) => onChange({ ...field, isAdditive: event.target.checked })}
        />
      ) : null}
      {isNaming(field.type) ? (
        <SetField
          label="Regions that they name"
          name={`${at}.region`}
          errors={errors}
          whose="usable"
          none="No regions"
          value={field.region}
          onChange={(set) => onChange({ ...field, region: set?.id ?? '' })}
        />
      ) : null}
      <CodeFields {...{ field, at, errors, onChange }} />
    </fieldset>
  )
}

/**
 * Names of codes, and codes for missing values. The typed text is kept as it is, as an incomplete line may
 * still be completed.
 */
function CodeFields({ field, at, errors, onChange }: KnowledgeFieldsProps) {
  const [names, setNames] = useState(() => nameLines(field.values))
  const [missing, setMissing] = useState(() => missingLines(field.values))
  const change = (nextNames: string, nextMissing: string) => {
    setNames(nextNames)
    setMissing(nextMissing)
    onChange({ ...field, values: valuesIn(nextNames, nextMissing, field.type) })
  }
  const name = `${at}.values`
  return (
    <div className="field-row">
      <TextArea
        form=""
        errors={moveValueIssues(name, errors, field.values.length)}
        label="Names of codes"
        name={name}
        hint="One a line: 1 = Male. Pages and charts show the name; files for programs keep the code."
        rows={3}
        spellCheck={false}
        value={names}
        onChange={(event) => change(event.target.value, missing)}
      />
      <TextArea
        form=""
        label="Codes for no value"
        name={`${name}.missing`}
        hint="One a line, such as -9 for “not measured”. Importers read them as empty."
        rows={3}
        spellCheck={false}
        value={missing}
        onChange={(event) => change(names, event.target.value)}
      />
    </div>
  )
}

/** Moves the issues of single values to the text area that holds all of them. */
function moveValueIssues(name: string, errors: FormErrors, count: number): FormErrors {
  const issues = errors.issues.flatMap((issue) => {
    const at = issue.path.join('.')
    if (at === name) return [issue]
    if (!at.startsWith(`${name}.`)) return []
    const place = Number(at.slice(name.length + 1).split('.')[0])
    const message = count > 1 ? `Value ${place + 1}: ${issue.message}` : issue.message
    return [{ ...issue, path: [name], message }]
  })
  return { ...errors, issues }
}
