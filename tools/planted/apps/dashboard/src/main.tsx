import { router } from "./router.tsx";
export const main = router;
