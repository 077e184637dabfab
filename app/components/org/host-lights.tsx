import { CopyButton } from '../form/copy-button.tsx'
import type { Light, PastedRecord } from '#functions/shapes/domain.ts'

const names: Record<Light['name'], string> = {
  ownership: 'It is yours',
  address: 'It leads here',
  caa: 'Certificates are allowed',
  certificate: 'The certificate',
  content: 'The hub answers',
}

const signs: Record<Light['state'], { word: string; className: string }> = {
  good: { word: 'Right', className: 'badge is-success' },
  waiting: { word: 'Waiting', className: 'badge is-info' },
  bad: { word: 'To do', className: 'badge is-danger' },
  unknown: { word: 'Not known', className: 'badge' },
}

/** What an address of one's own needs, in the order in which it is put right, with the records to paste and to take away. */
export function HostLights({ lights }: { lights: readonly Light[] }) {
  return (
    <ol className="dns-records">
      {lights.map(({ name, state, says, paste, remove }) => (
        <li key={name} className="card">
          <div className="card-body stack">
            <p className="row">
              <b>{names[name]}</b>
              <span className={signs[state].className}>{signs[state].word}</span>
            </p>
            <p className="muted">{says}</p>
            {remove.length ? <Records title="Take away" records={remove} /> : null}
            {paste.length ? <Records title={titleOf(paste)} records={paste} canCopy /> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Where a top of a zone may have an ALIAS or addresses, one of the two is enough. */
function titleOf(records: readonly PastedRecord[]): string {
  const isChoice = records.some(({ type }) => type === 'ALIAS') && records.length > 1
  return isChoice ? 'Set the first, or all of the others' : 'Set'
}

function Records({
  title,
  records,
  canCopy = false,
}: {
  title: string
  records: readonly PastedRecord[]
  canCopy?: boolean
}) {
  return (
    <div className="stack">
      <p>
        <b>{title}</b>
      </p>
      {records.map(({ type, name, value }) => (
        <dl key={`${type} ${name} ${value}`} className="facts">
          <div>
            <dt>Type</dt>
            <dd>{type}</dd>
          </div>
          <div>
            <dt>Name</dt>
            <dd className="row">
              <code className="code">{name}</code>
              {canCopy ? <CopyButton text={name} what={`the name of the ${type} record`} /> : null}
            </dd>
          </div>
          <div>
            <dt>Value</dt>
            <dd className="row">
              <code className="code">{value}</code>
              {canCopy ? <CopyButton text={value} what={`the value of the ${type} record`} /> : null}
            </dd>
          </div>
        </dl>
      ))}
    </div>
  )
}
