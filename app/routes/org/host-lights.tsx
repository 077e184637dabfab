import { Records } from './dns-records.tsx'
import type { Light, PastedRecord } from '#functions/shapes/domain.ts'

const names: Record<Light['name'], string> = {
  ownership: 'It is yours',
  address: 'DNS points here',
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

/** The checks of an own domain in order, with the DNS records to add and to remove. */
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
            {paste.length ? <Records title={getRecordsTitle(paste)} records={paste} canCopy /> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** For the apex of a zone, either an ALIAS or the addresses are enough. */
function getRecordsTitle(records: readonly PastedRecord[]): string {
  const isChoice = records.some(({ type }) => type === 'ALIAS') && records.length > 1
  return isChoice ? 'Set the first, or all of the others' : 'Set'
}
