import { anonymous, type Context } from '#functions/context.ts'

/** The parts of a Context that the kernel uses: an anonymous visitor of `hub.test`, without a database. */
export function kernelContext(changes: Partial<Context> = {}): Context {
  return {
    actor: anonymous,
    site: { mode: 'main', host: 'hub.test', origin: 'http://hub.test' },
    request: { id: 'r-1', headers: new Headers(), ip: null },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    basis: async () => {},
    hosts: null,
    limits: null,
    placeId: null,
    settings: { environment: 'test' } as Context['settings'],
    ...changes,
  } as Partial<Context> as Context
}
