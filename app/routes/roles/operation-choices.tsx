import { areaName } from './areas.ts'

export interface OperationChoicesProps {
  groups: { area: string; operations: { id: string; sentence: string }[] }[]
  heldOperations: ReadonlySet<string>
}

/** All operations with checkboxes, by area. */
export function OperationChoices({ groups, heldOperations }: OperationChoicesProps) {
  return (
    <div className="choice-grid">
      {groups.map(({ area, operations }) => (
        <fieldset key={area} className="fieldset">
          <legend>{areaName(area)}</legend>
          {operations.map(({ id, sentence }) => (
            <label key={id} className="choice">
              <input type="checkbox" name="operation" value={id} defaultChecked={heldOperations.has(id)} />
              {sentence}
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  )
}

/** The checked operations of a form. */
export function operationsIn(form: FormData): string[] {
  return form.getAll('operation').filter((value): value is string => typeof value === 'string')
}
