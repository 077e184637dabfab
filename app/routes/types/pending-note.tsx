import type { InferOutput } from 'valibot'
import type { PendingChange } from '#functions/shapes/data-type.ts'

/** A change of fields by the owner of a data type that is pending or failed. Nothing without one. */
export function PendingNote({ change }: { change: InferOutput<typeof PendingChange> | null }) {
  if (change === null) return null
  if (change.status === 'failed')
    return (
      <div className="notice is-warning" role="status">
        <p>
          The last change of the fields could not be made: {change.error ?? 'it did not go well.'} The data
          type is as it was. You can change it again.
        </p>
      </div>
    )
  return (
    <div className="notice" role="status">
      <p>
        A change of the fields waits until sources of other organizations have moved to data types of their
        own. It is made by itself, within some minutes; until then the data type is as it was. Saving other
        fields replaces it.
      </p>
    </div>
  )
}
