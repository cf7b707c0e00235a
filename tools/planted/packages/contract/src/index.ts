import { clock } from "@gatehouse/base";
import * as z from "zod";
export const route = { clock, z };
