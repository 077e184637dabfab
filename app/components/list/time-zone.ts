import { createContext } from 'react'

/** "Time zone: the place's own": what days of a screen are written in. UTC outside of a place. */
export const TimeZone = createContext('UTC')
