import { createContext } from 'react'

/** The nonce of this live answer, for the scripts it may run; undefined on hub pages, which run none inline. */
export const NonceContext = createContext<string | undefined>(undefined)
