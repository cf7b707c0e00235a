import { Button } from "../ui/Button.tsx";
export const Chain = Button;
