import { useState } from 'react'
import { TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { MappingFields, getWordsByColumn } from '#app/components/importer/mapping-fields.tsx'
import { ProposedFields } from './proposed-fields.tsx'
import type { TrialResult } from '#app/components/importer/trial.ts'
import { matchedTo } from '#app/components/importer/type-form.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

export interface TypeChoiceProps {
  trialResult: TrialResult
  /** The default name of a new data type. */
  name: string
  dataTypes: { id: string; name: string; schema: FieldSchema }[]
  /** The data type in the URL; null without one. */
  wantedTypeId: string | null
  mayMakeType: boolean
  errors: FormErrors | undefined
}

type Kind = 'new' | 'existing'

/** The choice of the rows' data type: a new one, or an existing one. */
export function TypeChoice(props: TypeChoiceProps) {
  const { trialResult, name, dataTypes, wantedTypeId, mayMakeType, errors } = props
  const isNew = mayMakeType && wantedTypeId === null
  const [kind, setKind] = useState<Kind>(isNew ? 'new' : 'existing')
  const [id, setId] = useState(() => wantedTypeId ?? findBestType(dataTypes, trialResult)?.id ?? '')
  const chosenType = dataTypes.find((each) => each.id === id)
  return (
    <fieldset className="fieldset">
      <legend>What the rows become</legend>
      <KindChoice {...{ kind, mayMakeType }} hasTypes={dataTypes.length > 0} onChange={setKind} />
      {kind === 'new' && mayMakeType ? (
        <>
          <TextField
            label="Name of the data type"
            name="typeName"
            hint="What one record is, in a word or two: Street tree, Rainfall."
            required
            maxLength={200}
            defaultValue={name}
            errors={errors}
          />
          <ProposedFields guess={trialResult.guess} paths={trialResult.paths} errors={errors} />
        </>
      ) : (
        <>
          <label className="field">
            <span className="field-label">Data type</span>
            <select
              name="dataTypeId"
              value={id}
              onChange={(event) => setId(event.currentTarget.value)}
              required
            >
              <option value="">Choose a data type…</option>
              {dataTypes.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
          {chosenType ? (
            <MappingFields
              key={chosenType.id}
              schema={chosenType.schema}
              mapping={matchedTo(chosenType.schema, trialResult.guess)}
              columns={trialResult.guess.columns}
              paths={trialResult.paths}
              words={getWordsByColumn(trialResult.guess)}
              rows={[]}
            />
          ) : null}
        </>
      )}
    </fieldset>
  )
}

interface KindChoiceProps {
  kind: Kind
  mayMakeType: boolean
  hasTypes: boolean
  onChange(kind: Kind): void
}

function KindChoice({ kind, mayMakeType, hasTypes, onChange }: KindChoiceProps) {
  return (
    <div className="row">
      {mayMakeType ? (
        <label className="choice">
          <input
            type="radio"
            name="kind"
            value="new"
            checked={kind === 'new'}
            onChange={() => onChange('new')}
          />
          Records of a new data type
        </label>
      ) : null}
      {hasTypes ? (
        <label className="choice">
          <input
            type="radio"
            name="kind"
            value="existing"
            checked={kind === 'existing'}
            onChange={() => onChange('existing')}
          />
          Records of a data type there is
        </label>
      ) : null}
    </div>
  )
}

/** Returns the data type with the most fields found in the rows; undefined if none matches. */
function findBestType(dataTypes: TypeChoiceProps['dataTypes'], { guess }: TrialResult) {
  const scored = dataTypes.map((each) => ({ each, fits: Object.keys(matchedTo(each.schema, guess)).length }))
  return scored.filter(({ fits }) => fits > 0).sort((a, b) => b.fits - a.fits)[0]?.each
}
